/** Children that are not started: recursive ones, too deep ones, ones with invalid input, and writes of a fork. */
import { refusesWrites, WRITE_REFUSED } from '../../core/fork.ts'
import { isRestricted } from '../../core/run/restriction.ts'
import type { Run } from '../../core/run/run.ts'
import type { Reason } from '../../core/watch/reason/reason.ts'
import type { Ancestor, ChildEvent } from '../../core/watch/event/event.ts'
import { firstFaults } from '../../core/watch/data/fault.ts'
import { type Json, callKey } from '../../core/watch/data/json.ts'
import { rejectionAnswer } from '../call/call-record.ts'
import { type CallId, callFailure, openCall } from '../call/callable.ts'
import type { CallContext } from '../call/context.ts'
import type { Graph } from '../ports.ts'

/** How many levels of children may still be nested below this thread. */
export const depthBelow = ({ policy, parent }: Run): number =>
  Math.min(policy.limits.depth, parent?.depth ?? Number.POSITIVE_INFINITY)

/** How descendants identify a thread of this graph, if they can exist. With the initial context, an omitted input equals its default. */
export function ancestorOf({ machine, graphs = {} }: Graph, input: Json): Ancestor | undefined {
  if (Object.keys(graphs).length === 0) return undefined
  return { graph: machine.id, key: callKey(machine.hash, machine.start(input).snapshot.context) }
}

interface RequestedChild {
  readonly graph: Graph
  readonly input: Json
}

/** Journals why a child is not started, and returns its answer; `undefined` when it may start. */
export function rejectChild(context: CallContext, id: CallId, child: RequestedChild) {
  const { journal, cancellation, ports } = context
  const rejection = rejectionOf(journal.run, id.subject, child)
  if (!rejection) return undefined
  const { why, way = [] } = rejection
  // A fault names a key of the input.
  const reason = ports.redact(rejection.reason)
  const { fields, close } = openCall(context, id)
  close()
  const failure = callFailure('ChildRefused', why === 'fork' ? WRITE_REFUSED : why, reason)
  journal.take({ ...fields(), type: 'child.refused', why, way, failure })
  cancellation.throwIfCancelled()
  return rejectionAnswer(failure)
}

interface Rejection {
  readonly why: Extract<ChildEvent, { type: 'child.refused' }>['why']
  readonly way?: readonly string[]
  readonly reason: Reason
}

function rejectionOf(run: Run, name: string, child: RequestedChild): Rejection | undefined {
  const { graph, input } = child
  const { id, checkInput } = graph.machine
  const params = { call: name }
  if (isRestricted(run))
    return { why: 'restricted', reason: { code: 'restricted-call', params: { call: name } } }
  if (refusesWrites(run)) return { why: 'fork', reason: { code: 'write-in-fork', params } }
  const faults = firstFaults(checkInput(input), ({ path, message }) => `${path} ${message}`)
  const fault = faults.join('; ')
  if (fault) return { why: 'input', reason: { code: 'invalid-input', params: { fault } } }
  const { lineage = [] } = run
  const { key } = ancestorOf(graph, input) ?? {}
  const twin = lineage.findIndex(ancestor => ancestor.key === key)
  if (twin >= 0) {
    const way = lineage.slice(twin).map(ancestor => ancestor.graph)
    const graphs = [...way, id]
    return { why: 'recursion', way, reason: { code: 'recursive-graph', params: { graphs } } }
  }
  if (depthBelow(run) > 0) return undefined
  return { why: 'depth', reason: { code: 'nesting-limit', params: { graph: name } } }
}
