import { CALLS_MAX } from '../../core/graph/spec/node.ts'
import type { ToolRequest } from '../../core/watch/event/call-event.ts'
import { ReasonError, type Reason } from '../../core/watch/reason/reason.ts'
import { type Failure, failureMessage, stated } from '../../core/watch/failure/failure.ts'
import type { Json } from '../../core/watch/data/json.ts'
import { done } from '../../runtime/outcome.ts'
import type { Message } from '../../runtime/model-message.ts'
import type { Answer, Node } from '../../runtime/ports.ts'
import { feedback } from '../feedback.ts'
import { lastMessageIn } from '../messages.ts'

export interface ToolsNodeOptions {
  /** The tools that model nodes of this graph are given. What a model invents beyond them is refused, even where the graph has it. */
  readonly allowed: ReadonlySet<string>
  /** The tools that end the task. */
  readonly completing: ReadonlySet<string>
}

/** `use: tools` performs what the last message asks for. Its outcome is `done.completed` once the task has been completed. */
export function toolsNode({ allowed, completing }: ToolsNodeOptions): Node {
  return async task => {
    const calls = requestedCalls(lastMessageIn(task.input))
    const answers = await performCalls(calls, allowed, task)
    const pairs = calls.map((call, index) => ({
      call,
      answer: answers[index] ?? refusal({ code: 'call-limit', params: { limit: CALLS_MAX } }),
    }))
    const output = {
      messages: pairs.map(({ call, answer }) => feedback(call, answer)),
      results: pairs.map(({ call: { id, tool }, answer }) => ({
        call: id,
        tool,
        ok: answer.ok,
        ...(answer.ok
          ? {}
          : { class: answer.failure.class, message: failureMessage(answer.failure) }),
      })),
    }
    const completion = pairs.find(({ call, answer }) => answer.ok && completing.has(call.tool))
    return completion
      ? done('completed', { ...output, completed: completionIn(completion.answer) })
      : output
  }
}

function requestedCalls(last: Message | undefined): readonly ToolRequest[] {
  if (last?.role === 'assistant' && last.calls.length > 0) return last.calls
  throw new ReasonError('Error', { code: 'no-call-requested' })
}

/** The answers in the order of the calls; absent beyond the most that is performed. */
async function performCalls(
  calls: readonly ToolRequest[],
  allowed: ReadonlySet<string>,
  task: Parameters<Node>[0],
): Promise<readonly Answer<Json>[]> {
  const performed = calls.slice(0, CALLS_MAX)
  // What the graph does not have is asked for all the same: the runtime journals the mistake.
  const mayBeMade = ({ tool }: ToolRequest) => allowed.has(tool) || !Object.hasOwn(task.tools, tool)
  const made = await task.batch(
    performed.filter(mayBeMade).map(({ tool, args }) => ({ tool, args })),
  )
  const rest = made.values()
  return performed.map(call =>
    mayBeMade(call)
      ? (rest.next().value ?? refusal({ code: 'no-result' }))
      : refusal({
          code: 'unknown-name',
          params: { kind: 'tool', name: call.tool, known: [...allowed] },
        }),
  )
}

function refusal(reason: Reason): Answer<Json> & { ok: false } {
  const failure: Failure = {
    name: 'InvalidArguments',
    ...stated(reason),
    class: 'persistent',
    scope: 'request',
    rule: 'arguments',
  }
  return { ok: false, failure }
}

function completionIn(answer: Answer<Json>): Json {
  const { result = null, command } = (answer.ok ? answer.value : {}) as {
    result?: Json
    command?: Json
  }
  return { result, ...(command === undefined ? {} : { command }) }
}
