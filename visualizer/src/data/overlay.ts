/**
 * What a journal shows on its chart: a fold of rows, without the machine. It reads only what the runtime has recorded, so that a
 * hundred thousand events fold in a fraction of a second, and graphs whose code is elsewhere are drawn too.
 */
import type { Row } from '../../../src/core/run/run.ts'
import { around, type ChartIndex, type Move } from './chart-index.ts'
import { addUse, type StateUse } from './state-use.ts'

/** The light of a breaker as the thread last saw it. */
export interface BreakerLight {
  readonly state: 'closed' | 'open' | 'half-open'
  readonly kind: 'tool' | 'model'
  readonly since: number
  /** When the next probe may start, in ms. */
  readonly retryAt?: number
}

/** What a thread has spent on calls of its own and of its children. */
export interface Totals {
  readonly toolCalls: number
  readonly modelCalls: number
  readonly tokens: number
  readonly usd: number
  readonly failures: number
}

/** A thread after one event, as far as the drawing shows it. */
export interface Overlay {
  readonly seq: number
  readonly at: number
  /** The active states, with the states around them. */
  readonly active: ReadonlySet<string>
  /** The entries of each state without children. */
  readonly visits: ReadonlyMap<string, number>
  readonly uses: ReadonlyMap<string, StateUse>
  /** How often each edge was taken, by `takenKey`. */
  readonly taken: ReadonlyMap<string, number>
  /** The edges of the last event that took any, as keys of `taken`. */
  readonly last: readonly string[]
  readonly breakers: ReadonlyMap<string, BreakerLight>
  readonly totals: Totals
  readonly ended: boolean
}

/** An edge with the active state it left, because an escape edge leaves from many. */
export const takenKey = (edge: string, from: string): string => `${edge} ${from}`

/** Folds rows in order. `snapshot` copies what the fold has so far. */
export class OverlayFold {
  readonly #index: ChartIndex | undefined
  /** Reads the overlay after an earlier event: a rollback returns to it. */
  readonly #earlier: (seq: number) => Overlay
  #seq = -1
  #at = 0
  #active = new Set<string>()
  readonly #visits = new Map<string, number>()
  readonly #uses = new Map<string, StateUse>()
  readonly #taken = new Map<string, number>()
  #last: readonly string[] = []
  readonly #breakers = new Map<string, BreakerLight>()
  #totals: Totals = NO_TOTALS
  #ended = false
  #rollbackTo: number | undefined

  constructor(
    index: ChartIndex | undefined,
    earlier: (seq: number) => Overlay,
    from: Overlay = EMPTY,
  ) {
    this.#index = index
    this.#earlier = earlier
    this.#seq = from.seq
    this.#at = from.at
    this.#active = new Set(from.active)
    for (const [state, count] of from.visits) this.#visits.set(state, count)
    for (const [state, use] of from.uses) this.#uses.set(state, use)
    for (const [edge, count] of from.taken) this.#taken.set(edge, count)
    this.#last = from.last
    for (const [name, light] of from.breakers) this.#breakers.set(name, light)
    this.#totals = from.totals
    this.#ended = from.ended
  }

  snapshot(): Overlay {
    return {
      seq: this.#seq,
      at: this.#at,
      active: new Set(this.#active),
      visits: new Map(this.#visits),
      uses: new Map(this.#uses),
      taken: new Map(this.#taken),
      last: this.#last,
      breakers: new Map(this.#breakers),
      totals: this.#totals,
      ended: this.#ended,
    }
  }

  take(row: Row): void {
    const { event, verdict, edges, seq } = row
    addUse(this.#uses, row, { at: this.#seq < 0 ? event.at : this.#at, active: this.#active })
    this.#seq = seq
    this.#at = event.at
    if (verdict.kind === 'escape' && verdict.route.rung === 'rollback')
      this.#rollbackTo = verdict.route.to
    if (this.#index) this.#move(row, this.#index)
    if (edges.length > 0 && !this.#index) this.#last = edges
    this.#light(row)
    this.#totals = totalsAfter(this.#totals, row)
    if (row.ended) this.#ended = true
  }

  #move({ event, edges, ignored }: Row, index: ChartIndex): void {
    const restarts =
      event.type === 'round.started' || (event.type === 'message' && this.#ended && !ignored)
    if (event.type === 'thread.started' || restarts) {
      this.#ended = false
      this.#active.clear()
      this.#enterInitial(index)
    }
    if (event.type === 'migrated') this.#jump(index, event.node)
    if (event.type === 'rollback.done') {
      const to = this.#rollbackTo
      this.#rollbackTo = undefined
      if (to !== undefined) this.#active = new Set(this.#earlier(to).active)
    }
    if (event.type === 'turn.started') {
      const state = event.effect.replace(/#\d+$/, '')
      if (index.states.has(state) && !this.#active.has(state)) this.#jump(index, state)
    }
    if (edges.length > 0) this.#last = edges.map(edge => this.#follow(index, edge))
  }

  /** Takes an edge, and returns its key in `taken`. */
  #follow(index: ChartIndex, id: string): string {
    const move = index.moves.get(id)
    const from = this.#leafIn(index, move?.source)
    const key = takenKey(id, from)
    this.#taken.set(key, (this.#taken.get(key) ?? 0) + 1)
    if (move) this.#make(index, move)
    return key
  }

  #make(index: ChartIndex, { domain, targets }: Move): void {
    if (domain === undefined) this.#active.clear()
    else
      for (const state of this.#active)
        if (around(index, state).includes(domain)) this.#active.delete(state)
    for (const target of targets) this.#enter(index, target, domain)
  }

  /** The active state without children inside a state, or anywhere. */
  #leafIn(index: ChartIndex, source: string | undefined): string {
    if (source !== undefined && this.#active.has(source) && !index.children.has(source))
      return source
    const isAnywhere = source === undefined || !index.states.has(source)
    for (const state of this.#active) {
      if (index.children.has(state)) continue
      if (isAnywhere || state === source || around(index, state).includes(source)) return state
    }
    return source ?? ''
  }

  #enterInitial(index: ChartIndex): void {
    const { chart } = index
    if (index.states.has(chart.initial)) this.#enter(index, chart.initial, undefined)
    else for (const { id } of index.children.get(undefined) ?? []) this.#enterDefault(index, id)
  }

  /** Enters a state, the states around it up to `domain`, and the other regions of those that are parallel. */
  #enter(index: ChartIndex, target: string, domain: string | undefined): void {
    const chain = [target, ...around(index, target)]
    const stop = domain === undefined ? chain.length : chain.indexOf(domain)
    const outer = chain.slice(1, stop < 0 ? chain.length : stop).reverse()
    for (const [place, state] of outer.entries()) {
      this.#active.add(state)
      if (index.states.get(state)?.kind !== 'parallel') continue
      const next = outer[place + 1] ?? target
      for (const { id } of index.children.get(state) ?? [])
        if (id !== next && !this.#active.has(id)) this.#enterDefault(index, id)
    }
    this.#enterDefault(index, target)
  }

  #enterDefault(index: ChartIndex, id: string): void {
    const state = index.states.get(id)
    this.#active.add(id)
    const children = index.children.get(id) ?? []
    if (children.length === 0 && state?.kind !== 'final')
      this.#visits.set(id, (this.#visits.get(id) ?? 0) + 1)
    if (state?.kind === 'parallel')
      for (const child of children) this.#enterDefault(index, child.id)
    else if (state?.initial !== undefined) this.#enterDefault(index, state.initial)
  }

  /** A jump without an edge, after a rollback or a migration: the state replaces the others of its region. */
  #jump(index: ChartIndex, state: string): void {
    const region = index.states.get(state)?.region ?? ''
    for (const other of [...this.#active]) {
      const isKept = around(index, state).includes(other)
      if (!isKept && (index.states.get(other)?.region ?? '') === region) this.#active.delete(other)
    }
    for (const outer of around(index, state)) this.#active.add(outer)
    this.#active.add(state)
  }

  #light({ event }: Row): void {
    if (!('subject' in event) || !('kind' in event)) return
    const { subject, at } = event
    const kind = event.kind
    if (kind !== 'tool' && kind !== 'model') return
    if (event.type === 'circuit.closed')
      this.#breakers.set(subject, { state: 'closed', kind, since: at })
    if (event.type === 'circuit.halfOpened')
      this.#breakers.set(subject, { state: 'half-open', kind, since: at })
    if (event.type === 'circuit.opened' || event.type === 'circuit.refused') {
      const known = this.#breakers.get(subject)
      const since = known?.state === 'open' ? known.since : at
      this.#breakers.set(subject, { state: 'open', kind, since, retryAt: event.retryAt })
    }
  }
}

function totalsAfter(totals: Totals, { event, findings }: Row): Totals {
  const isRefused = findings.some(({ kind }) => kind === 'budget')
  switch (event.type) {
    case 'tool.called':
      return isRefused || event.compensates !== undefined
        ? totals
        : { ...totals, toolCalls: totals.toolCalls + 1 }
    case 'model.called':
      return isRefused ? totals : { ...totals, modelCalls: totals.modelCalls + 1 }
    case 'child.done':
      return {
        ...totals,
        toolCalls: totals.toolCalls + event.spent.toolCalls,
        modelCalls: totals.modelCalls + event.spent.modelCalls,
        tokens: totals.tokens + event.spent.tokens,
        usd: totals.usd + event.spent.usd,
      }
    default: {
      const usage = 'usage' in event ? event.usage : undefined
      const failed = event.type === 'tool.failed' || event.type === 'model.failed'
      if (!usage && !failed) return totals
      return {
        ...totals,
        tokens: totals.tokens + (usage ? usage.input + usage.output : 0),
        usd: totals.usd + (usage?.usd ?? 0),
        failures: totals.failures + (failed ? 1 : 0),
      }
    }
  }
}

const NO_TOTALS: Totals = { toolCalls: 0, modelCalls: 0, tokens: 0, usd: 0, failures: 0 }

export const EMPTY: Overlay = {
  seq: -1,
  at: 0,
  active: new Set(),
  visits: new Map(),
  uses: new Map(),
  taken: new Map(),
  last: [],
  breakers: new Map(),
  totals: NO_TOTALS,
  ended: false,
}
