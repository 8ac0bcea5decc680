import { ReasonError, type Reason } from '../../core/watch/reason/reason.ts'
import { type Failure, stated } from '../../core/watch/failure/failure.ts'
import type { Json } from '../../core/watch/data/json.ts'
import { failing, done } from '../../runtime/outcome.ts'
import type { ChildAnswer, Node } from '../../runtime/ports.ts'

export interface MapNodeOptions {
  readonly graph: string
  /** The input that holds the items. */
  readonly over: string
  /** The input under which a child is given its item. */
  readonly as: string
  /** The most children at once. */
  readonly concurrency: number
  /** How many must succeed; with the last of them the others are cancelled. `all`: every one is awaited, and may fail. */
  readonly join: 'all' | 'any' | number
  /** A child is given its item and nothing else. */
  readonly alone: boolean
}

/** What became of one item. A value that is too long to be handed on stays in its thread; `cut` is its length in characters. */
type Result =
  | { readonly ok: true; readonly value: Json }
  | { readonly ok: true; readonly value: null; readonly cut: number; readonly thread: string }
  | { readonly ok: false; readonly reason: string }

/** Characters of all results together: a million items must not become one value. What lies beyond, the children have. */
const RESULTS_MAX = 1_048_576

/**
 * `use: map` runs a graph for each item, at most `concurrency` at once, and keeps what became of each in the order of the
 * items. Its outcome is `done.partial` where some have failed, and a failure where too few have succeeded.
 */
export function mapNode({ graph, over, as, concurrency, join, alone }: MapNodeOptions): Node {
  return async task => {
    const items = task.input[over]
    const { [over]: _, ...shared } = alone ? {} : { ...task.input }
    if (!Array.isArray(items))
      throw new ReasonError('InvalidInput', {
        code: 'not-a-list',
        params: { input: over, value: (JSON.stringify(items) ?? 'undefined').slice(0, 80) },
      })
    const of = items.length
    const tally = new Results(of, join)
    const each = async (index: number): Promise<void> => {
      const places = Math.min(concurrency - tally.open++, of - index)
      const input = { ...shared, [as]: items[index] as Json }
      tally.take(
        index,
        await task.run(graph, input, {
          item: { index, of },
          places,
          ...(join === 'all' ? {} : { stop: tally.over }),
        }),
      )
    }
    let next = 0
    const lane = async () => {
      while (next < of && !tally.over.aborted) await each(next++)
    }
    await Promise.all(Array.from({ length: Math.min(concurrency, of) }, lane))
    return tally.ending(graph)
  }
}

const ENOUGH = new ReasonError('AbortError', { code: 'enough-succeeded' })
const TOO_MANY = new ReasonError('AbortError', { code: 'too-many-failed' })

/** What has come back. */
class Results {
  open = 0
  readonly #of: number
  readonly #join: MapNodeOptions['join']
  readonly #wanted: number
  readonly #stop = new AbortController()
  readonly #results: Result[] = []
  #length = 0
  #kept = Number.POSITIVE_INFINITY
  #ended = 0
  #succeeded = 0
  #failed = 0
  readonly #causes: (Reason | undefined)[] = []

  constructor(of: number, join: MapNodeOptions['join']) {
    this.#of = of
    this.#join = join
    this.#wanted = join === 'all' ? Math.min(of, 1) : join === 'any' ? 1 : join
    this.#decide()
  }

  /** Aborted once it is known how it ends, except where every item is awaited. */
  get over(): AbortSignal {
    return this.#stop.signal
  }

  take(index: number, answer: ChildAnswer): void {
    const result = resultOf(answer)
    this.open--
    this.#ended++
    if (result.ok) this.#succeeded++
    else if (!(answer.outcome === 'cancelled' && this.over.aborted)) this.#failed++
    this.#causes[index] = answer.because
    this.#keep(index, result)
    this.#decide()
  }

  /** The results are those of the first items, without a gap. */
  #keep(index: number, result: Result): void {
    this.#length += JSON.stringify(result).length + 1
    if (this.#length > RESULTS_MAX) this.#kept = Math.min(this.#kept, index)
    else this.#results[index] = result
  }

  #decide(): void {
    if (this.#join === 'all') return
    if (this.#succeeded >= this.#wanted) this.#stop.abort(ENOUGH)
    else if (this.#of - this.#failed < this.#wanted) this.#stop.abort(TOO_MANY)
  }

  ending(graph: string): unknown {
    const results = this.#results.slice(0, this.#kept)
    const output = { results, failed: this.#failed, left: this.#ended - results.length }
    if (this.#succeeded >= this.#wanted)
      return this.#join === 'all' && this.#failed > 0 ? done('partial', output) : output
    const cause = this.#causes[results.findIndex(result => !result.ok)]
    const params = { graph, wanted: this.#wanted, succeeded: this.#succeeded, of: this.#of }
    const failure: Failure = {
      name: 'ChildFailed',
      ...stated({
        code: 'map-failed',
        params,
        ...(cause && { cause }),
      }),
      class: 'business',
      scope: 'request',
      rule: 'child',
    }
    return failing(failure, output)
  }
}

function resultOf({ outcome, reason, result, cut, thread = '' }: ChildAnswer): Result {
  if (outcome !== 'success') return { ok: false, reason: `${outcome}: ${reason}` }
  return cut === undefined ? { ok: true, value: result } : { ok: true, value: null, cut, thread }
}
