/** The built-in nodes except `map`: a graph, a tool call, a pass, a message, the calls of a message, a model. */
import { type Json, defined } from '../../core/watch/data/json.ts'
import { type Failure, stated, failureMessage } from '../../core/watch/failure/failure.ts'
import { type Reason, ReasonError } from '../../core/watch/reason/reason.ts'
import { failing, done } from '../../runtime/outcome.ts'
import type { ChildAnswer, Node, Answer, Task } from '../../runtime/ports.ts'
import { withKnownWrites } from '../known-writes.ts'
import { openingMessage, feedback, lastMessageIn, endWithUserTurn } from '../messages.ts'
import { messagesIn, opens, withOpening, withRemaining, withoutDropped } from '../messages.ts'
import { type WorkingNode, CALLS_MAX } from '../../core/graph/spec/node.ts'
import type { ToolRequest } from '../../core/watch/event/call-event.ts'
import type { Message } from '../../runtime/model-message.ts'
import { systemPrompt } from '../prompt.ts'

/** `use: graph` runs a graph as a child thread with the input of the node (`alone`: without input). The result is the output, also after a failure. */
export function graphNode(graph: string, alone = false): Node {
  return async task => {
    const answer = await task.run(graph, alone ? {} : { ...task.input })
    if (answer.cut !== undefined) return failing(childFailure(graph, answer))
    return answer.outcome === 'success'
      ? answer.result
      : failing(childFailure(graph, answer), answer.result)
  }
}

/** A graph that reached a final state gave an answer: a business failure. A graph that was stopped did not. */
export function childFailure(graph: string, answer: ChildAnswer): Failure {
  const kind = answer.outcome === 'failure' ? 'business' : 'persistent'
  return requestFailure('ChildFailed', childReason(graph, answer), { class: kind, rule: 'child' })
}

/** A failure of the request, for which the resource is not at fault. */
export const requestFailure = (name: string, reason: Reason, of: Pick<Failure, 'class' | 'rule'>) =>
  ({ name, ...stated(reason), ...of, scope: 'request' }) as const satisfies Failure

function childReason(graph: string, { outcome, thread, because, cut }: ChildAnswer): Reason {
  if (cut !== undefined) return { code: 'result-too-large', params: { graph, characters: cut } }
  const params = { graph, outcome, ...(thread === undefined ? {} : { thread }) }
  return { code: 'graph-failed', params, ...(because && { cause: because }) }
}

/** `use: pass` returns its input. */
export const pass: Node = async ({ input }) => ({ ...input })

/** `use: tool` makes one call, with the arguments of the spec, or with the input of the node. */
export function toolNode(tool: string, args?: Json): Node {
  return async task => {
    const answer = await task.call(tool, args ?? { ...task.input })
    return answer.ok ? answer.value : failing(answer.failure)
  }
}

/** `use: message` turns its input into a user message. */
export const messageNode: Node = async ({ input }) => {
  const names = Object.keys(input)
  const others = names.filter(name => name !== 'goal')
  const message = openingMessage(input, others)
  if (message) return { message }
  throw new Error(`the input is empty; expected a text in one of: ${names.join(', ')}`)
}

export interface ToolsNodeOptions {
  /** The tools that model nodes of this graph offer. Other calls are rejected, even of tools that the graph has. */
  readonly allowed: ReadonlySet<string>
  readonly completing: ReadonlySet<string>
}

/** `use: tools` performs the calls of the last message. Its outcome is `done.completed` once the task is completed. */
export function toolsNode({ allowed, completing }: ToolsNodeOptions): Node {
  return async task => {
    const calls = requestedCalls(lastMessageIn(task.input))
    const answers = await performCalls(calls, allowed, task)
    const pairs = calls.map((call, index) => ({
      call,
      answer:
        answers[index] ?? rejectedAnswer({ code: 'call-limit', params: { limit: CALLS_MAX } }),
    }))
    const output = {
      messages: pairs.map(({ call, answer }) => feedback(call, answer)),
      results: pairs.map(({ call: { id, tool }, answer }) => ({
        call: id,
        tool,
        ok: answer.ok,
        ...(!answer.ok && { class: answer.failure.class, message: failureMessage(answer.failure) }),
      })),
    }
    const completion = pairs.find(({ call, answer }) => answer.ok && completing.has(call.tool))
    if (!completion?.answer.ok) return output
    const { result = null, command } = completion.answer.value as { result?: Json; command?: Json }
    return done('completed', { ...output, completed: { result, ...defined({ command }) } })
  }
}

function requestedCalls(last: Message | undefined): readonly ToolRequest[] {
  if (last?.role === 'assistant' && last.calls.length > 0) return last.calls
  throw new ReasonError('Error', { code: 'no-call-requested' })
}

/** The answers in the order of the calls, without those beyond the limit. */
async function performCalls(
  calls: readonly ToolRequest[],
  allowed: ReadonlySet<string>,
  task: Task,
): Promise<readonly Answer<Json>[]> {
  const taken = calls.slice(0, CALLS_MAX)
  // A tool that the graph lacks is called too: the runtime journals the mistake.
  const isCallable = ({ tool }: ToolRequest) =>
    allowed.has(tool) || !Object.hasOwn(task.tools, tool)
  const requests = taken.filter(isCallable).map(({ tool, args }) => ({ tool, args }))
  const answers = (await task.batch(requests)).values()
  return taken.map(call => {
    if (isCallable(call)) return answers.next().value ?? rejectedAnswer({ code: 'no-result' })
    const params = { kind: 'tool', name: call.tool, known: [...allowed] } as const
    return rejectedAnswer({ code: 'unknown-name', params })
  })
}

function rejectedAnswer(reason: Reason): Answer<Json> & { ok: false } {
  const kind = { class: 'persistent', rule: 'arguments' } as const
  return { ok: false, failure: requestFailure('InvalidArguments', reason, kind) }
}

type ModelSpec = Extract<WorkingNode, { use: 'model' }>
type Settings = Pick<ModelSpec, 'model' | 'prompt' | 'preamble' | 'command' | 'history'>

interface ModelNodeOptions extends Settings {
  readonly tools: readonly string[]
  /** The one of these tools that ends the task. */
  readonly completes?: string | undefined
  /** Whether its answers go to the channel of its `messages`. The opening message of a round then goes there, too. */
  readonly storesMessages: boolean
  /** Inputs that the model receives in addition to the goal and the messages. */
  readonly others: readonly string[]
}

/** `use: model` asks a model for the next step. Its outcome is `done.command` if the model requests tools, else `done.answer`. */
export function modelNode(options: ModelNodeOptions): Node {
  const { model, tools, completes, command, history, others, storesMessages } = options
  return async task => {
    const { lessons, input, round, remaining } = task
    const isLast = remaining?.isLast === true
    // An unavailable tool is offered only if a substitute answers.
    const usable = isLast ? tools.filter(name => name === completes) : tools
    const unavailable = usable.flatMap(tool =>
      task.unavailable[tool] ? [{ tool, ...task.unavailable[tool] }] : [],
    )
    const missing = unavailable.flatMap(({ tool, instead }) => (instead ? [] : [tool]))
    const offered = usable.flatMap(name => (missing.includes(name) ? [] : (task.tools[name] ?? [])))
    const first = openingMessage(input, others)
    const isWrite = (tool: string) => task.tools[tool]?.effects === 'write'
    const rest = withoutDropped(messagesIn(input), task.forgotten, isWrite)
    const conversation = withOpening(withKnownWrites(rest, task.requested), first, round)
    const answer = await task.ask(model, {
      system: systemPrompt({ ...options, lessons, tools: offered, outOfOrder: unavailable }),
      messages: withRemaining(endWithUserTurn(conversation, command, history), remaining),
      tools: offered,
      command: isLast && offered.length === 0 ? 'optional' : command,
      ...(isLast ? { reserve: true } : {}),
    })
    if (!answer.ok) return failing(answer.failure)
    const { call, text } = answer.value
    const isOffered = ({ tool }: ToolRequest) => offered.some(({ name }) => name === tool)
    const calls = isLast ? answer.value.calls.filter(isOffered) : answer.value.calls
    const message: Message = { role: 'assistant', content: text, calls, answer: call }
    const isOpening = storesMessages && first && !rest.some(stored => opens(stored, round))
    const stored = isOpening ? [{ ...first, round }, message] : message
    return done(calls.length > 0 ? 'command' : 'answer', { message: stored, text, calls })
  }
}
