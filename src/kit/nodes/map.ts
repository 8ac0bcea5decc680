/** A node that runs a graph for each item of a list. */
import type { WorkingNode } from '../../core/graph/spec/node.ts'
import type { Json } from '../../core/watch/data/json.ts'
import { ReasonError, type Reason } from '../../core/watch/reason/reason.ts'
import { done, failing } from '../../runtime/outcome.ts'
import type { ChildAnswer, Node } from '../../runtime/ports.ts'
import { requestFailure } from './built-in.ts'

type MapSpec = Extract<WorkingNode, { use: 'map' }>
export type MapNodeOptions = Pick<MapSpec, 'graph' | 'over' | 'as' | 'concurrency' | 'join'> & {
  /** A child receives only its item. */
  readonly alone: boolean
}

/** The result of one item. A value that is too large stays in its thread; `cut` is its length in characters. */
type Result =
  | { readonly ok: true; readonly value: Json }
  | { readonly ok: true; readonly value: null; readonly cut: number; readonly thread: string }
  | { readonly ok: false; readonly reason: string }

/** Characters of all results together, which become one value. The child threads keep the rest. */
const RESULTS_MAX = 1_048_576

/**
 * `use: map` runs a graph for each item, at most `concurrency` at once, and keeps the results in the order of the items.
 * Its outcome is `done.partial` if some items failed, and a failure if too few succeeded.
 */
export function mapNode(options: MapNodeOptions): Node {
  const { graph, over, as, concurrency, join, alone } = options
  return async task => {
    const items = task.input[over]
    const { [over]: _, ...shared } = alone ? {} : { ...task.input }
    if (!Array.isArray(items)) {
      const value = (JSON.stringify(items) ?? 'undefined').slice(0, 80)
      throw new ReasonError('InvalidInput', { code: 'not-a-list', params: { input: over, value } })
    }
    const of = items.length
    const tally = tallyOf(of, join)
    const stop = join === 'all' ? {} : { stop: tally.signal }
    let next = 0
    let open = 0
    const runItem = async (index: number): Promise<void> => {
      const places = Math.min(concurrency - open++, of - index)
      const input = { ...shared, [as]: items[index] as Json }
      const answer = await task.run(graph, input, { item: { index, of }, places, ...stop })
      open--
      tally.add(index, answer)
    }
    const lane = async () => {
      while (next < of && !tally.signal.aborted) await runItem(next++)
    }
    await Promise.all(Array.from({ length: Math.min(concurrency, of) }, lane))
    return tally.outcome(graph)
  }
}

const ENOUGH = new ReasonError('AbortError', { code: 'enough-succeeded' })
const TOO_MANY = new ReasonError('AbortError', { code: 'too-many-failed' })

/** Counts the results of the items. */
function tallyOf(of: number, join: MapNodeOptions['join']) {
  const wanted = join === 'all' ? Math.min(of, 1) : Number(join === 'any' ? 1 : join)
  const abort = new AbortController()
  const results: Result[] = []
  const causes: (Reason | undefined)[] = []
  const count = { ended: 0, succeeded: 0, failed: 0 }
  let length = 0
  let kept = Number.POSITIVE_INFINITY
  const abortIfDecided = () => {
    if (join === 'all') return
    if (count.succeeded >= wanted) abort.abort(ENOUGH)
    else if (of - count.failed < wanted) abort.abort(TOO_MANY)
  }
  abortIfDecided()
  return {
    /** Aborted once the outcome is certain. Not with `join: all`, which waits for every item. */
    signal: abort.signal,
    add(index: number, answer: ChildAnswer): void {
      const result = resultOf(answer)
      count.ended++
      if (result.ok) count.succeeded++
      else if (!(answer.outcome === 'cancelled' && abort.signal.aborted)) count.failed++
      causes[index] = answer.because
      length += JSON.stringify(result).length + 1
      // The kept results are those of the first items, without a gap.
      if (length > RESULTS_MAX) kept = Math.min(kept, index)
      else results[index] = result
      abortIfDecided()
    },
    outcome(graph: string): unknown {
      const { ended, succeeded, failed } = count
      const shown = results.slice(0, kept)
      const output = { results: shown, failed, left: ended - shown.length }
      if (succeeded >= wanted)
        return join === 'all' && failed > 0 ? done('partial', output) : output
      const cause = causes[shown.findIndex(result => !result.ok)]
      const params = { graph, wanted, succeeded, of }
      const reason: Reason = { code: 'map-failed', params, ...(cause && { cause }) }
      const kind = { class: 'business', rule: 'child' } as const
      return failing(requestFailure('ChildFailed', reason, kind), output)
    },
  }
}

function resultOf({ outcome, reason, result, cut, thread = '' }: ChildAnswer): Result {
  if (outcome !== 'success') return { ok: false, reason: `${outcome}: ${reason}` }
  return cut === undefined ? { ok: true, value: result } : { ok: true, value: null, cut, thread }
}
