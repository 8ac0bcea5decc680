/** Nodes without settings of their own: a graph, a tool call, a pass, a message. */
import type { Json } from '../../core/watch/data/json.ts'
import { type Failure, stated } from '../../core/watch/failure/failure.ts'
import type { Reason } from '../../core/watch/reason/reason.ts'
import { failing } from '../../runtime/outcome.ts'
import type { ChildAnswer, Node } from '../../runtime/ports.ts'
import { openingMessage } from '../messages.ts'

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
