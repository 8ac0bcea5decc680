/** The task: all a node sees of the runtime, and its only way to models and tools. */
import type { AgentEvent, ToolRequest } from '../core/watch/event.ts'
import type { Json } from '../core/watch/json.ts'
import { draw } from '../core/watch/random.ts'
import { callKey, digest } from '../core/watch/signature.ts'
import { cost } from '../core/watch/spent.ts'
import { type Callable, makeCall, type Site } from './call.ts'
import { kept } from './cut.ts'
import type { Answer, Model, ModelAnswer, ModelReply, ModelRequest, Task, Tool } from './ports.ts'
import { modelAnswer, type Recorded, type Records } from './recorded.ts'
import type { Late } from './within.ts'

/** A node asked for other calls than the journal holds of it: it depends on more than its input. */
export class OtherCall extends Error {
  override readonly name = 'Nondeterministic'
}

interface Work extends Site {
  readonly thread: string
  readonly node: string
  readonly records: Records
}

export function taskOf(work: Work): Task {
  const { ports, journal, effect, leave, thread, node, records } = work
  const { graph } = ports
  let made = 0
  const next = () => `${effect.id}/${++made}`
  const { context } = journal.run.snapshot
  return {
    thread,
    effect: effect.id,
    node,
    input: graph.machine.inputOf(node, context),
    lessons: journal.run.lessons,
    get signal() {
      return leave.signal
    },
    tools: graph.tools,
    draw: purpose => draw(journal.run.seed, effect.id, purpose),
    ask: (name, request) => modelCall(work, { call: next(), name, request }),
    call: (name, args) => toolCall(work, { call: next(), name, args, more: () => false }),
    batch: calls =>
      batch(
        work,
        calls.map(({ tool, args }) => ({ call: next(), name: tool, args })),
      ),
    async report(note) {
      const call = next()
      if (!records.reports.has(call)) journal.take({ type: 'reported', effect: effect.id, region: effect.region, call, note: kept('the note', note, ports.redact).value })
      work.leave.stay()
    },
  }
}

/** All calls at once; while any is out, the others' events say so, and verdicts wait. */
async function batch(work: Work, calls: readonly { call: string; name: string; args: Json }[]): Promise<readonly Answer<Json>[]> {
  let out = calls.length
  return Promise.all(
    calls.map(async call => {
      let answered = false
      try {
        return await toolCall(work, { ...call, more: () => out > (answered ? 0 : 1) })
      } finally {
        answered = true
        out--
      }
    }),
  )
}

interface ToolCall {
  readonly call: string
  readonly name: string
  readonly args: Json
  more(): boolean
}

async function toolCall(work: Work, { call, name, args, more }: ToolCall): Promise<Answer<Json>> {
  work.leave.stay()
  const tool = Object.hasOwn(work.ports.graph.tools, name) ? work.ports.graph.tools[name] : undefined
  const safe = kept(`the arguments of ${name}`, args, value => value).value
  const key = callKey(name, safe)
  const before = recorded(work, call, name, key)
  if (before?.state.kind === 'answered') return before.state.answer as Answer<Json>
  const parsed = tool ? parsing(tool, safe) : { ok: false as const, error: new UnknownTool(name, Object.keys(work.ports.graph.tools)) }
  if (!tool || !parsed.ok) return refusal(work, { call, name, key, more }, parsed.ok ? undefined : parsed.error)
  return makeCall(work, callableTool(work, { tool, call, key, args: parsed.args, more }), before)
}

function recorded({ records }: Work, call: string, subject: string, key: string): Recorded | undefined {
  const before = records.calls.get(call)
  if (before && before.key !== key) throw new OtherCall(`call ${call} was ${before.subject} when it was journalled, and is ${subject} with other arguments now`)
  return before
}

function parsing(tool: Tool, args: Json): { readonly ok: true; readonly args: Json } | { readonly ok: false; readonly error: unknown } {
  try {
    return { ok: true, args: tool.parse(args) }
  } catch (error) {
    return { ok: false, error }
  }
}

class UnknownTool extends Error {
  override readonly name = 'InvalidArguments'
  constructor(name: string, known: readonly string[]) {
    super(`there is no tool '${name}'; there are: ${known.join(', ') || '(none)'}`)
  }
}

/** A call that cannot be made at all: the tool is not touched, and the caller gets the reason as its answer. */
function refusal(work: Work, { call, name, key, more }: Omit<ToolCall, 'args'> & { key: string }, error: unknown): Answer<Json> {
  const { effect, journal } = work
  const message = error instanceof Error ? error.message : String(error)
  const failure = { name: 'InvalidArguments', message: String(work.ports.redact(message)), class: 'persistent' as const, scope: 'request' as const, rule: 'arguments' }
  journal.take({ type: 'tool.failed', effect: effect.id, region: effect.region, call, subject: name, key, failure, attempt: 1, final: true, ...(more() ? { more: true } : {}) })
  work.leave.stay()
  return { ok: false, failure }
}

interface ToolWork {
  readonly tool: Tool
  readonly call: string
  readonly key: string
  readonly args: Json
  more(): boolean
}

function callableTool(work: Work, { tool, call, key, args, more }: ToolWork): Callable<Json> {
  const { effect, ports } = work
  const fields = () => ({ effect: effect.id, region: effect.region, call, subject: tool.name, key, effects: tool.effects, ...(more() ? { more: true as const } : {}) })
  const repeatable = tool.effects === 'read' || tool.idempotent
  const reconcile = tool.reconcile?.bind(tool)
  return {
    call,
    subject: tool.name,
    key,
    kind: 'tool',
    guard: tool,
    repeatable,
    more,
    called: attempt => ({ ...fields(), type: 'tool.called', args: ports.redact(args), attempt, repeatable }),
    perform: calling => tool.run(args, calling),
    done(raw) {
      const { value, digest, cut } = kept(`the result of ${tool.name}`, raw, ports.redact)
      const event: AgentEvent = { ...fields(), type: 'tool.done', result: value, digest, ...(tool.compensate ? { compensable: true } : {}), ...(cut === undefined ? {} : { cut }) }
      return { event, answer: value }
    },
    // A read that heeded its signal has nothing to tell; of a write one wants to know either way.
    late: result => (result.ok || tool.effects === 'write' ? { ...fields(), type: 'call.late', ok: result.ok, text: lateText(work, result) } : undefined),
    ...(reconcile ? { reconcile: calling => reconcile(args, calling) } : {}),
  }
}

function lateText({ ports }: Work, result: Late<unknown>): string {
  const raw = result.ok ? result.value : String((result.error as Error | undefined)?.message ?? result.error)
  try {
    const { value } = kept('the late result', raw, ports.redact, 500)
    return typeof value === 'string' ? value : JSON.stringify(value)
  } catch (error) {
    return (error as Error).message
  }
}

interface ModelCall {
  readonly call: string
  readonly name: string
  readonly request: ModelRequest
}

async function modelCall(work: Work, { call, name, request }: ModelCall): Promise<Answer<ModelAnswer>> {
  work.leave.stay()
  const model = work.ports.graph.models[name]
  if (!model) throw new Error(`there is no model named '${name}'; there are: ${Object.keys(work.ports.graph.models).join(', ') || '(none)'}`)
  const key = callKey(name, { system: request.system, messages: request.messages, tools: request.tools.map(tool => tool.name) })
  const before = recorded(work, call, name, key)
  if (before?.state.kind === 'answered') return before.state.answer as Answer<ModelAnswer>
  return makeCall(work, callableModel(work, { model, call, key, name, request }), before)
}

function callableModel(work: Work, { model, call, key, name, request }: ModelCall & { model: Model; key: string }): Callable<ModelAnswer> {
  const { effect, ports, thread } = work
  const fields = { effect: effect.id, region: effect.region, call, subject: name, key }
  const onDelta = (text: string) => ports.live?.({ kind: 'delta', thread, effect: effect.id, text })
  return {
    call,
    subject: name,
    key,
    kind: 'model',
    guard: model,
    repeatable: true,
    more: () => false,
    called: attempt => ({ ...fields, type: 'model.called', attempt, messages: request.messages.length }),
    perform: calling => model.ask(request, Object.assign(calling, { onDelta })),
    done(raw) {
      const event = modelDone(work, model, request, raw as ModelReply)
      return { event: { ...fields, ...event }, answer: modelAnswer({ ...fields, ...event }) }
    },
    // A late answer of a model changes nothing in the world; what it cost is not known to us.
    late: () => undefined,
  }
}

function modelDone({ ports }: Work, model: Model, request: ModelRequest, reply: ModelReply) {
  const text = kept('the answer of the model', reply.text, ports.redact)
  const calls = kept('the calls of the model', reply.calls as unknown as Json, ports.redact)
  const tokens = reply.usage ?? { input: estimated(request.system, JSON.stringify(request.messages)), output: estimated(reply.text, JSON.stringify(reply.calls)), cached: 0 }
  return {
    type: 'model.done' as const,
    text: String(text.value),
    ...(reply.reasoning ? { reasoning: String(kept('the reasoning', reply.reasoning, ports.redact).value) } : {}),
    calls: (calls.cut === undefined ? calls.value : []) as unknown as readonly ToolRequest[],
    usage: { ...tokens, usd: cost(model.price, tokens), ...(reply.usage ? {} : { estimated: true as const }) },
    // The ids of the calls are new each time, and would make every repetition look new.
    digest: digest([String(text.value), ...reply.calls.map(({ tool, args }) => callKey(tool, args))]),
    ...(request.command === 'required' ? { commandExpected: true as const } : {}),
    ...(text.cut === undefined ? {} : { cut: text.cut }),
  }
}

/** Four characters a token: the rule of thumb of the providers' own documentation for English. */
function estimated(...texts: readonly string[]): number {
  return Math.ceil(texts.reduce((sum, text) => sum + text.length, 0) / 4)
}
