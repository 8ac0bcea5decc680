import { type Failure, stated } from '../../core/watch/failure/failure.ts'
import type { Reason } from '../../core/watch/reason/reason.ts'
import { failing } from '../../runtime/outcome.ts'
import type { ChildAnswer, Node } from '../../runtime/ports.ts'
import type { Json } from '../../core/watch/data/json.ts'
import { openingMessage } from '../messages.ts'

/** `use: graph` runs a graph as a thread of its own, with what its `in` gives it (`alone`: with nothing). The result is the output; without success it is there all the same. */
export function graphNode(graph: string, alone = false): Node {
  return async task => {
    const answer = await task.run(graph, alone ? {} : { ...task.input })
    if (answer.cut !== undefined) return failing(childFailure(graph, answer))
    return answer.outcome === 'success'
      ? answer.result
      : failing(childFailure(graph, answer), answer.result)
  }
}

/** A graph that reached a final state gave an answer: a business failure. A graph that was stopped gave none. */
export function childFailure(graph: string, answer: ChildAnswer): Failure {
  return {
    name: 'ChildFailed',
    ...stated(failureReasonOf(graph, answer)),
    class: answer.outcome === 'failure' ? 'business' : 'persistent',
    scope: 'request',
    rule: 'child',
  }
}

function failureReasonOf(graph: string, { outcome, thread, because, cut }: ChildAnswer): Reason {
  if (cut !== undefined) return { code: 'result-too-large', params: { graph, characters: cut } }
  const params = { graph, outcome, ...(thread === undefined ? {} : { thread }) }
  return { code: 'graph-failed', params, ...(because && { cause: because }) }
}

/** `use: pass` does nothing: its output is what its `in` gives it. What it is for stands in its `when` and its edges. */
export const pass: Node = async ({ input }) => ({ ...input })

/** `use: tool` makes one call, with the arguments of the spec, or with what its `in` gives it. */
export function toolNode(tool: string, args?: Json): Node {
  return async task => {
    const answer = await task.call(tool, args ?? { ...task.input })
    return answer.ok ? answer.value : failing(answer.failure)
  }
}

/** `use: message` makes a user message of its input. */
export const messageNode: Node = async ({ input }) => {
  const others = Object.keys(input).filter(name => name !== 'goal')
  const message = openingMessage(input, others)
  if (message) return { message }
  throw new Error(`the input is empty; expected a text in one of: ${Object.keys(input).join(', ')}`)
}
