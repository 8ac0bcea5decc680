/** Calls of models: the events of each call, and the scan for degenerate output. */
import { injectionFor } from '../../core/run/control.ts'
import { ReasonError } from '../../core/watch/reason/reason.ts'
import { dependencyOf } from '../../core/watch/retries.ts'
import { substitutesOf } from '../../core/graph/spec/spec.ts'
import { OUTPUT_SCAN, degenerateReason } from '../../core/watch/detect/degenerate-output.ts'
import { findRepeatedChunk, scanChunk } from '../../core/watch/detect/degenerate-output.ts'
import type { RepeatedChunk } from '../../core/watch/detect/degenerate-output.ts'
import type { DegenerateOutputOptions } from '../../core/watch/detect/degenerate-output.ts'
import type { ReportedUsage, ToolRequest } from '../../core/watch/event/call-event.ts'
import { questionIn } from '../../core/watch/normalize/graph-input.ts'
import { mayCost } from '../../core/watch/failure/doubt.ts'
import { defined, callKey, digest } from '../../core/watch/data/json.ts'
import type { ModelAnswer, ModelReply } from '../model-message.ts'
import type { Answer, Model, ModelRequest } from '../ports.ts'
import { makeCall } from './call.ts'
import { modelAnswer } from './call-record.ts'
import type { CallIds } from './call-ids.ts'
import { CallUsage, NO_USAGE, receive } from './call-usage.ts'
import { type CallId, type Callable, lookUp, openCall } from './callable.ts'
import type { CallContext } from './context.ts'
import { readReply } from './injected.ts'
import { replayCall } from './recording.ts'
import { storedJson, wholeValue, type Redact } from './stored-json.ts'

export async function modelCall(
  context: CallContext,
  ids: CallIds,
  { name, request, inCode }: Pick<ModelWork, 'request' | 'inCode'> & { readonly name: string },
): Promise<Answer<ModelAnswer>> {
  context.cancellation.throwIfCancelled()
  const { models } = context.ports.graph
  const model = lookUp('Error', 'model', models, name)
  const { system, messages } = request
  const tools = request.tools.map(tool => tool.name)
  const made = { subject: name, key: callKey(name, { system, messages, tools }) }
  const id = { call: await ids.of({ kind: 'model', ...made }), ...made }
  context.cancellation.throwIfCancelled()
  const record = context.records.calls.get(id.call)
  if (record?.state.kind === 'answered') return record.state.answer as Answer<ModelAnswer>
  const isInjected = injectionFor(context.journal.run, 'model', name) !== undefined
  // An answer or a fault of a person replaces the recorded one.
  const recorded = isInjected ? undefined : replayCall(context, id)
  if (recorded) return recorded as Answer<ModelAnswer>
  const callable = (other: string) => {
    const model = Object.hasOwn(models, other) ? models[other] : undefined
    const work = model && { model, request, inCode, instead: name }
    return work && callableModel(context, { ...id, subject: other }, work)
  }
  const substitutes = { names: substitutesOf(models, name), callable }
  const original = callableModel(context, id, { model, request, inCode })
  return makeCall(context, { ...original, substitutes }, record)
}

interface ModelWork {
  readonly model: Model
  readonly request: ModelRequest
  /** A node in code asks. */
  readonly inCode: boolean
  /** The model that was asked for, when this one is its substitute. */
  readonly instead?: string
}

function callableModel(context: CallContext, id: CallId, work: ModelWork): Callable<ModelAnswer> {
  const { model, request, instead } = work
  const { effect, ports, journal } = context
  const { fields, close } = openCall(context, id)
  const { thread } = journal.lease
  const spent = new CallUsage(model, request)
  return {
    ...id,
    fields,
    close,
    kind: 'model',
    dependency: dependencyOf('model', id.subject),
    guard: model,
    repeatable: true,
    writes: false,
    called: attempt => ({
      ...fields(),
      type: 'model.called',
      attempt,
      messages: request.messages.length,
      ...defined({ instead, reserve: request.reserve }),
    }),
    async perform(calling) {
      const { mode, detect } = journal.run.policy
      const { attempt } = calling
      const { call } = id
      const own = spent.begin(attempt)
      const scan = outputScan(mode === 'act' && detect.degenerateOutput)
      const onDelta = (text: string, hidden = 0, usage?: ReportedUsage) => {
        const { seq } = journal.run
        receive(own, text.length + hidden, usage)
        if (text === '') return
        journal.show({ kind: 'delta', thread, effect, call, attempt, seq, text })
        scan.onDelta(text)
      }
      const reply = await ask(model, request, Object.assign(calling, { onDelta }))
      own.characters ??= 0
      own.reply = reply
      checkReply(reply)
      scan.onReply(reply.text)
      return reply
    },
    done(raw, { attempt, tries }) {
      const facts = answerFacts(work, raw as ModelReply, ports.redact)
      close()
      const event = { ...fields(), ...facts, usage: spent.of(attempt), ...defined({ tries }) }
      return { event, answer: modelAnswer(event) }
    },
    given(result, by) {
      const { reply } = readReply(result, id.call)
      if (!reply) throw new ReasonError('InvalidReply', { code: 'invalid-reply', params: REPLY })
      const facts = answerFacts(work, reply, ports.redact)
      close()
      const event = { ...fields(), ...facts, usage: NO_USAGE, [by]: true as const }
      return { event, answer: modelAnswer(event) }
    },
    // The text of a late answer has no effect. Its reported usage replaces a lower estimate.
    late(_, { attempt, booked }) {
      const usage = spent.beyond(attempt, booked)
      return usage && { ...fields(), ...UNUSED, usage }
    },
    spentBy: (failure, attempt) =>
      spent.hasBegun(attempt) || mayCost(failure) ? spent.of(attempt) : undefined,
  }
}

const REPLY = { path: 'result', expected: 'a text or { text, calls }' }

const UNUSED = { type: 'call.late', ok: false, effects: 'read', result: null } as const

/** A model that throws rejects. */
const ask = async (model: Model, ...of: Parameters<Model['ask']>) => model.ask(...of)

/** Scans an answer while it is streamed, or at once. A model that swallows the first `DegenerateOutput` receives it again. */
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
function checkReply(reply: ModelReply): void {
  const { text, calls } = (reply ?? {}) as Partial<ModelReply>
  const fault = (path: string, expected: string) =>
    new ReasonError('InvalidReply', { code: 'invalid-reply', params: { path, expected } })
  if (typeof text !== 'string') throw fault('text', 'string')
  if (!Array.isArray(calls)) throw fault('calls', 'array')
  for (const [index, call] of calls.entries())
    for (const name of ['id', 'tool'] as const)
      if (typeof call?.[name] !== 'string') throw fault(`calls[${index}].${name}`, 'string')
}

function answerFacts({ request, inCode }: ModelWork, reply: ModelReply, redact: Redact) {
  const { value, cut } = storedJson('model.text', reply.text, redact)
  const text = String(value)
  const reasoning =
    reply.reasoning && String(storedJson('model.reasoning', reply.reasoning, redact).value)
  const calls = wholeValue('model.calls', reply.calls, redact) as unknown as readonly ToolRequest[]
  return {
    type: 'model.done' as const,
    text,
    ...(reasoning ? { reasoning } : {}),
    calls,
    // Without the ids of the calls, which differ in every answer.
    digest: digest([text, ...calls.map(({ tool, args }) => callKey(tool, args))]),
    ...(request.command === 'required' ? { commandExpected: true as const } : {}),
    ...defined({ question: inCode ? questionIn(request) : undefined, cut }),
  }
}
