/** Children that are not started: one that already stands around itself, one too deep, one whose input does not fit, one of a fork's parent. */
import { stated } from '../../core/watch/failure/failure.ts'
import type { Reason } from '../../core/watch/reason/reason.ts'
import { refusesWrites, WRITE_REFUSED } from '../../core/fork.ts'
import type { Run } from '../../core/run.ts'
import type { ChildEvent } from '../../core/watch/event/event.ts'
import type { Json } from '../../core/watch/data/json.ts'
import type { ChildFields } from './child-done.ts'
import { recursionPath } from './lineage.ts'
import type { ChildAnswer, Graph } from '../ports.ts'
import { rejectionAnswer } from '../call/call-record.ts'
import { countCall, type EffectContext } from '../call/effect-context.ts'

/** How many may still stand one inside another below this thread. */
export function depthBelow({ policy, parent }: Run): number {
  return Math.min(policy.limits.depth, parent?.depth ?? Number.POSITIVE_INFINITY)
}

type Refused = Extract<ChildEvent, { type: 'child.refused' }>

interface Wanted {
  readonly graph: Graph
  readonly fields: ChildFields
  readonly input: Json
  /** It was under way in another thread where this one, its fork, begins. */
  readonly foreign: boolean
}

/** Journals why a child is not started, and answers for it; `undefined` if it may be. */
export function rejectChild(context: EffectContext, wanted: Wanted): ChildAnswer | undefined {
  const { fields } = wanted
  const found = rejectionReason(context.journal.run, wanted)
  if (!found) return undefined
  const { why, way, reason } = found
  const { more, close } = countCall(context, fields.call)
  close()
  const failure = {
    name: 'ChildRefused',
    ...stated(reason),
    class: 'persistent',
    scope: 'request',
    rule: why === 'fork' ? WRITE_REFUSED : why,
  } as const
  context.journal.take({
    ...fields,
    type: 'child.refused',
    why,
    way,
    failure,
    ...(more() ? { more: true as const } : {}),
  })
  context.cancellation.throwIfCancelled()
  return rejectionAnswer(failure)
}

function rejectionReason(
  run: Run,
  { graph, fields: { subject }, input, foreign }: Wanted,
): (Pick<Refused, 'why' | 'way'> & { readonly reason: Reason }) | undefined {
  const { id, checkInput } = graph.machine
  if (refusesWrites(run))
    return {
      why: 'fork',
      way: [],
      reason: { code: 'write-in-fork', params: { call: subject } },
    }
  if (foreign)
    return {
      why: 'fork',
      way: [],
      reason: { code: 'started-before-fork', params: { call: subject } },
    }
  const faults = checkInput(input)
  if (faults.length > 0)
    return {
      why: 'input',
      way: [],
      reason: {
        code: 'invalid-input',
        params: { fault: faults.map(({ path, message }) => `${path} ${message}`).join('; ') },
      },
    }
  const way = recursionPath(run, graph, input)
  if (way)
    return {
      why: 'recursion',
      way,
      reason: { code: 'recursive-graph', params: { graphs: [...way, id] } },
    }
  if (depthBelow(run) < 1)
    return {
      why: 'depth',
      way: [],
      reason: { code: 'nesting-limit', params: { graph: subject } },
    }
  return undefined
}
