import { type Failure, stated } from '../../core/watch/failure/failure.ts'
import type { Reason } from '../../core/watch/reason.ts'
import { failing } from '../../runtime/outcome.ts'
import type { ChildAnswer, Node } from '../../runtime/ports.ts'

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
