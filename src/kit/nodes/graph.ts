import type { Failure } from '../../core/watch/failure/failure.ts'
import { type ChildAnswer, failing, type Node } from '../../runtime/ports.ts'

/** `use: graph` runs a graph as a thread of its own, with what its `in` gives it (`alone`: with nothing). The result is the output; without success it is there all the same. */
export function graphNode(graph: string, alone = false): Node {
  return async task => {
    const answer = await task.run(graph, alone ? {} : { ...task.input })
    if (answer.cut !== undefined)
      return failing(
        failureOf(graph, {
          ...answer,
          reason: `its result of ${answer.cut} characters is too long to be handed on`,
        }),
      )
    return answer.outcome === 'success'
      ? answer.result
      : failing(failureOf(graph, answer), answer.result)
  }
}

/** A graph that came to an end of its own has worked, and its answer is no; one that was stopped has not. */
function failureOf(graph: string, { outcome, reason, thread }: ChildAnswer): Failure {
  const message = `${graph} ended without success: ${outcome} (${reason})${thread === undefined ? '' : `; its thread is ${thread}`}`
  return {
    name: 'ChildFailed',
    message,
    class: outcome === 'failure' ? 'business' : 'persistent',
    scope: 'request',
    rule: 'child',
  }
}
