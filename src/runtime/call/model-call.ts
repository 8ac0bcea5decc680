/** A call of a model, as the journal and the gate see it. */
import { ReasonError } from '../../core/watch/reason/reason.ts'
import { substitutesOf } from '../../core/graph/spec/spec.ts'
import type { ToolRequest } from '../../core/watch/event/call-event.ts'
import type { Json } from '../../core/watch/data/json.ts'
import { callKey, digest } from '../../core/watch/data/signature.ts'
import { cost, readUsage } from '../../core/watch/event/spent.ts'
import { makeCall } from './call.ts'
import type { Callable } from './callable.ts'
import { storedJson } from './stored-json.ts'
import type { ModelAnswer, ModelReply } from '../model-message.ts'
import type { Answer, Model, ModelRequest } from '../ports.ts'
import { modelAnswer } from './call-record.ts'
import { replayCall } from './recording.ts'
import { listener } from './degenerate.ts'
import { countCall, recordFor, type EffectContext, wholeValue } from './effect-context.ts'

interface ModelCall {
  readonly call: string
  readonly name: string
  readonly request: ModelRequest
}

export async function modelCall(
  context: EffectContext,
  { call, name, request }: ModelCall,
): Promise<Answer<ModelAnswer>> {
  context.cancellation.throwIfCancelled()
  const { models } = context.ports.graph
  const model = Object.hasOwn(models, name) ? models[name] : undefined
  if (!model)
    throw new ReasonError('Error', {
      code: 'unknown-name',
      params: { kind: 'model', name, known: Object.keys(models) },
    })
  const key = callKey(name, {
    system: request.system,
    messages: request.messages,
    tools: request.tools.map(tool => tool.name),
  })
  const before = recordFor(context, call, name, key)
  if (before?.state.kind === 'answered') return before.state.answer as Answer<ModelAnswer>
  const told = replayCall<ModelAnswer>(context, call, key)
  if (told) return told
  const made = (other: string) => {
    const model = Object.hasOwn(models, other) ? models[other] : undefined
    return (
      model && callableModel(context, { model, call, key, name: other, request, instead: name })
    )
  }
  const callable = callableModel(context, { model, call, key, name, request })
  return makeCall(
    context,
    { ...callable, standIns: { names: substitutesOf(models, name), made } },
    before,
  )
}

interface ModelWork extends ModelCall {
  readonly model: Model
  readonly key: string
  /** The model that was asked, where this one stands in for it. */
  readonly instead?: string
}

function callableModel(
  context: EffectContext,
  { model, call, key, name, request, instead }: ModelWork,
): Callable<ModelAnswer> {
  const { effect, ports, journal } = context
  const { more, close } = countCall(context, call)
  const fields = () => ({
    effect: effect.id,
    region: effect.region,
    call,
    subject: name,
    key,
    ...(more() ? { more: true as const } : {}),
  })
  const { thread } = journal.lease
  return {
    call,
    subject: name,
    key,
    kind: 'model',
    guard: model,
    repeatable: true,
    writes: false,
    more,
    close,
    called: attempt => ({
      ...fields(),
      type: 'model.called',
      attempt,
      messages: request.messages.length,
      ...(instead === undefined ? {} : { instead }),
    }),
    async perform(calling) {
      const { mode, detect } = journal.run.policy
      const { attempt } = calling
      const heard = listener(mode === 'act' && detect.degenerateOutput, text =>
        journal.show({
          kind: 'delta',
          thread,
          effect: effect.id,
          call,
          attempt,
          seq: journal.run.seq,
          text,
        }),
      )
      const reply = checkReply(
        await model.ask(request, Object.assign(calling, { onDelta: heard.onDelta })),
      )
      heard.answered(reply.text)
      return reply
    },
    done(raw, tries) {
      const said = answerOf(model, request, raw as ModelReply, ports.redact)
      close()
      const event = { ...fields(), ...said, ...tries }
      return { event, answer: modelAnswer(event) }
    },
    // A late answer of a model changes nothing in the world; what it cost is not known to us.
    late: () => undefined,
  }
}

/** @throws InvalidReply: models are other people's code. */
function checkReply(reply: ModelReply): ModelReply {
  const { text, calls } = (reply ?? {}) as Partial<ModelReply>
  const fault = (path: string, expected: string) =>
    new ReasonError('InvalidReply', { code: 'invalid-reply', params: { path, expected } })
  if (typeof text !== 'string') throw fault('text', 'string')
  if (!Array.isArray(calls)) throw fault('calls', 'array')
  for (const [index, call] of calls.entries())
    for (const name of ['id', 'tool'] as const)
      if (typeof call?.[name] !== 'string') throw fault(`calls[${index}].${name}`, 'string')
  return reply
}

function answerOf(
  model: Model,
  request: ModelRequest,
  reply: ModelReply,
  redact: (value: Json) => Json,
) {
  const text = storedJson('model.text', reply.text, redact)
  const calls = wholeValue('model.calls', reply.calls, redact) as unknown as readonly ToolRequest[]
  const told = readUsage(reply.usage)
  const tokens = told ?? {
    input: estimateTokens(request.system, JSON.stringify(request.messages)),
    output: estimateTokens(reply.text, JSON.stringify(reply.calls)),
    cached: 0,
  }
  return {
    type: 'model.done' as const,
    text: String(text.value),
    ...(reply.reasoning
      ? { reasoning: String(storedJson('model.reasoning', reply.reasoning, redact).value) }
      : {}),
    calls,
    usage: {
      ...tokens,
      usd: cost(model.price, tokens),
      ...(told ? {} : { estimated: true as const }),
    },
    // The ids of the calls are new each time, and would make every repetition look new.
    digest: digest([String(text.value), ...calls.map(({ tool, args }) => callKey(tool, args))]),
    ...(request.command === 'required' ? { commandExpected: true as const } : {}),
    ...(text.cut === undefined ? {} : { cut: text.cut }),
  }
}

/** Four characters a token: the rule of thumb of the providers' own documentation for English. */
function estimateTokens(...texts: readonly string[]): number {
  return Math.ceil(texts.reduce((sum, text) => sum + text.length, 0) / 4)
}
