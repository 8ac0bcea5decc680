/** A node that performs the calls of the last message. */
import { CALLS_MAX } from '../../core/graph/spec/node.ts'
import { type Json, defined } from '../../core/watch/data/json.ts'
import type { ToolRequest } from '../../core/watch/event/call-event.ts'
import { failureMessage } from '../../core/watch/failure/failure.ts'
import { ReasonError, type Reason } from '../../core/watch/reason/reason.ts'
import type { Message } from '../../runtime/model-message.ts'
import { done } from '../../runtime/outcome.ts'
import type { Answer, Node, Task } from '../../runtime/ports.ts'
import { feedback, lastMessageIn } from '../messages.ts'
import { requestFailure } from './basic.ts'

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
      answer: answers[index] ?? reject({ code: 'call-limit', params: { limit: CALLS_MAX } }),
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
    if (isCallable(call)) return answers.next().value ?? reject({ code: 'no-result' })
    const params = { kind: 'tool', name: call.tool, known: [...allowed] } as const
    return reject({ code: 'unknown-name', params })
  })
}

function reject(reason: Reason): Answer<Json> & { ok: false } {
  const of = { class: 'persistent', rule: 'arguments' } as const
  return { ok: false, failure: requestFailure('InvalidArguments', reason, of) }
}
