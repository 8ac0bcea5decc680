/** Follows one run of a LangGraph graph through its reading, and finds the way out of a loop. */
import { advance } from '../../core/advance.ts'
import { initialRun, type Row, type Run } from '../../core/run/run.ts'
import { digest, isMap, type Json } from '../../core/watch/data/json.ts'
import type { AgentEvent, Stamped } from '../../core/watch/event/event.ts'
import type { LangGraphReading } from './from-langgraph.ts'

interface WatchParts {
  readonly reading: LangGraphReading
  readonly now: () => number
  readonly onRow: (row: Row) => void
}

export class NodeWatch {
  readonly #parts: WatchParts
  #run: Run | undefined

  constructor(parts: WatchParts) {
    this.#parts = parts
  }

  /** A node has chosen the state `to`. Returns the state that follows: another one leaves a loop, `undefined` ends the graph. */
  choose(from: string, to: string, state: unknown): string | undefined {
    const { machine } = this.#parts.reading
    this.#run ??= this.#start()
    this.#arrive(from)
    const pending = this.#pending()
    // The reading does not show how LangGraph came here: it follows again from the next start.
    if (pending?.state !== from) return to
    const { id: effect, region } = pending
    this.#take({ type: 'turn.started', effect, region, epoch: 1 })
    const label = machine.can(this.#run.snapshot, { type: `done.${to}`, region })
    const output = digest(contentOf(state)).hash
    this.#take({
      type: 'node.done',
      effect,
      region,
      output: { state: output },
      ...(label && { label: to }),
    })
    const { verdict } = this.#run.last
    if (verdict.kind !== 'escape') return to
    return verdict.route.rung === 'alternative' ? this.#state() : undefined
  }

  /** Follows the nodes with one edge, which choose nothing. */
  #arrive(from: string): void {
    for (let steps = this.#parts.reading.machine.chart.states.length; steps > 0; steps--) {
      const pending = this.#pending()
      if (!pending || pending.state === from || !this.#run) return
      const { id: effect, region } = pending
      if (!this.#parts.reading.machine.can(this.#run.snapshot, { type: 'done', region })) return
      this.#take({ type: 'turn.started', effect, region, epoch: 1 })
      const output = this.#run.snapshot.context.state ?? null
      this.#take({ type: 'node.done', effect, region, output: { state: output } })
    }
  }

  #start(): Run {
    const { machine } = this.#parts.reading
    const first = {
      type: 'thread.started' as const,
      ...{ input: {}, seed: 1, specHash: machine.hash, policy: machine.policy },
      versions: machine.parts.versions,
      at: this.#parts.now(),
    }
    this.#run = initialRun(first as Stamped<typeof first>)
    return this.#take(first)
  }

  #take(event: AgentEvent): Run {
    const stamped = { ...event, at: this.#parts.now() } as Stamped
    const run = advance(this.#parts.reading.machine, this.#run as Run, stamped)
    this.#run = run
    this.#parts.onRow({ seq: run.seq, event: stamped, ...run.last })
    return run
  }

  #pending() {
    return this.#run?.pending.find(({ type }) => type === 'invoke')
  }

  /** The state after an escape; `undefined` at the end. */
  #state(): string | undefined {
    return this.#pending()?.state
  }
}

/**
 * What two states must share to be the same. Of a list, the last item counts without its id: a conversation grows at every lap of
 * a loop, and its latest message shows what is new.
 */
function contentOf(state: unknown): Json {
  const plain: unknown = JSON.parse(JSON.stringify(state ?? null))
  if (!isMap(plain)) return plain as Json
  return Object.fromEntries(
    Object.entries(plain).map(([key, value]) => [
      key,
      Array.isArray(value) ? withoutIds(value.at(-1) ?? null) : value,
    ]),
  )
}

const IDS = /^(id|tool_call_id|response_metadata|usage_metadata)$/

function withoutIds(value: Json): Json {
  if (Array.isArray(value)) return value.map(withoutIds)
  if (!isMap(value)) return value
  const kept = Object.entries(value).filter(([key]) => !IDS.test(key))
  return Object.fromEntries(kept.map(([key, inner]) => [key, withoutIds(inner)]))
}
