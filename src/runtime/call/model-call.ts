/** Calls of models: the events of each call, its tokens and cost, and the scan for degenerate output. */
import { ReasonError } from '../../core/watch/reason/reason.ts'
import { dependencyOf } from '../../core/watch/retries.ts'
import { substitutesOf } from '../../core/graph/spec/spec.ts'
import {
  OUTPUT_SCAN,
  type RepeatedChunk,
  degenerateReason,
  findRepeatedChunk,
  type DegenerateOutputOptions,
  scanChunk,
} from '../../core/watch/detect/degenerate-output.ts'
import type { ToolRequest } from '../../core/watch/event/call-event.ts'
import { cost, readUsage } from '../../core/watch/event/spent.ts'
import { defined } from '../../core/watch/data/defined.ts'
import type { Json } from '../../core/watch/data/json.ts'
import { callKey, digest } from '../../core/watch/data/signature.ts'
import type { ModelAnswer, ModelReply } from '../model-message.ts'
import type { Answer, Model, ModelRequest } from '../ports.ts'
import { makeCall } from './call.ts'
import { modelAnswer } from './call-record.ts'
import type { Callable } from './callable.ts'
import { type CallId, type CallContext, lookUp, openCall, recordFor } from './context.ts'
import { replayCall } from './recording.ts'
import { storedJson, wholeValue } from './stored-json.ts'

export async function modelCall(
  context: CallContext,
  { call, name, request }: Record<'call' | 'name', string> & Pick<ModelWork, 'request'>,
): Promise<Answer<ModelAnswer>> {
  context.cancellation.throwIfCancelled()
  const { models } = context.ports.graph
  const model = lookUp('Error', 'model', models, name)
  const { system, messages } = request
  const tools = request.tools.map(tool => tool.name)
  const of = { call, subject: name, key: callKey(name, { system, messages, tools }) }
  const before = recordFor(context, of)
  if (before?.state.kind === 'answered') return before.state.answer as Answer<ModelAnswer>
  const recorded = replayCall(context, of)
  if (recorded) return recorded as Answer<ModelAnswer>
  const callable = (other: string) => {
    const model = Object.hasOwn(models, other) ? models[other] : undefined
    const work = model && { model, request, instead: name }
    return work && callableModel(context, { ...of, subject: other }, work)
  }
  const substitutes = { names: substitutesOf(models, name), callable }
  const original = callableModel(context, of, { model, request })
  return makeCall(context, { ...original, substitutes }, before)
}

interface ModelWork {
  readonly model: Model
  readonly request: ModelRequest
  /** The model that was asked for, when this one is its substitute. */
  readonly instead?: string
}

function callableModel(
  context: CallContext,
  of: CallId,
  { model, request, instead }: ModelWork,
): Callable<ModelAnswer> {
  const { effect, ports, journal } = context
  const { fields, close } = openCall(context, of)
  const { thread } = journal.lease
  return {
    ...of,
    fields,
    close,
    kind: 'model',
    dependency: dependencyOf('model', of.subject),
    guard: model,
    repeatable: true,
    writes: false,
    called: attempt => ({
      ...fields(),
      type: 'model.called',
      attempt,
      messages: request.messages.length,
      ...defined({ instead }),
    }),
    async perform(calling) {
      const { mode, detect } = journal.run.policy
      const { attempt } = calling
      const { call } = of
      const scan = outputScan(mode === 'act' && detect.degenerateOutput)
      const onDelta = (text: string) => {
        const { seq } = journal.run
        journal.show({ kind: 'delta', thread, effect, call, attempt, seq, text })
        scan.onDelta(text)
      }
      const reply = checkReply(await model.ask(request, Object.assign(calling, { onDelta })))
      scan.onReply(reply.text)
      return reply
    },
    done(raw, tries) {
      const facts = answerFacts(model, request, raw as ModelReply, ports.redact)
      close()
      const event = { ...fields(), ...facts, ...tries }
      return { event, answer: modelAnswer(event) }
    },
    // A late answer has no effect, and its cost is unknown.
    late: () => undefined,
  }
}

/**
 * Scans an answer while it is streamed, and a whole answer at once. Both functions throw `DegenerateOutput`: a model that
 * swallows the first error is still stopped.
 */
function outputScan(options: DegenerateOutputOptions | false) {
  let scan = OUTPUT_SCAN
  let error: ReasonError | undefined
  const check = (found: RepeatedChunk | undefined) => {
    if (found) error ??= new ReasonError('DegenerateOutput', degenerateReason(found, ''))
    if (error) throw error
  }
  return {
    onDelta(text: string) {
      if (options === false) return
      const [next, found] = scanChunk(scan, text, options)
      scan = next
      check(found)
    },
    onReply(text: string) {
      if (options !== false)
        check(scan.characters === 0 ? findRepeatedChunk(text, options) : undefined)
    },
  }
}

/** Checks the reply of a custom model. @throws InvalidReply */
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

function answerFacts(
  model: Model,
  request: ModelRequest,
  reply: ModelReply,
  redact: (value: Json) => Json,
) {
  const { value, cut } = storedJson('model.text', reply.text, redact)
  const text = String(value)
  const reasoning =
    reply.reasoning && String(storedJson('model.reasoning', reply.reasoning, redact).value)
  const calls = wholeValue('model.calls', reply.calls, redact) as unknown as readonly ToolRequest[]
  const reported = readUsage(reply.usage)
  const tokens = reported ?? {
    input: estimateTokens(request.system, JSON.stringify(request.messages)),
    output: estimateTokens(reply.text, JSON.stringify(reply.calls)),
    cached: 0,
  }
  const estimated = reported ? {} : { estimated: true as const }
  return {
    type: 'model.done' as const,
    text,
    ...(reasoning ? { reasoning } : {}),
    calls,
    usage: { ...tokens, usd: cost(model.price, tokens), ...estimated },
    // Without the ids of the calls, which differ in every answer.
    digest: digest([text, ...calls.map(({ tool, args }) => callKey(tool, args))]),
    ...(request.command === 'required' ? { commandExpected: true as const } : {}),
    ...defined({ cut }),
  }
}

/** Estimates four characters a token, the providers' rule of thumb for English. */
function estimateTokens(...texts: readonly string[]): number {
  return Math.ceil(texts.reduce((sum, text) => sum + text.length, 0) / 4)
}
