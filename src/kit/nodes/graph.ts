import type { Failure } from '../../core/watch/failure/failure.ts'
import { type ChildAnswer, failing, type Node } from '../../runtime/ports.ts'

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
export function childFailure(
  graph: string,
  { outcome, reason: said, thread, cut }: ChildAnswer,
): Failure {
  const reason =
    cut === undefined ? said : `its result of ${cut} characters is too long to be passed on`
  const message = `${graph} ended without success: ${outcome} (${reason})${thread === undefined ? '' : `; its thread is ${thread}`}`
  return {
    name: 'ChildFailed',
    message,
    class: outcome === 'failure' ? 'business' : 'persistent',
    scope: 'request',
    rule: 'child',
  }
}
