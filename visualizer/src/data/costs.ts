/** What a run has spent, by model, tool and child graph, and by state. */
import type { Row } from '../../../src/core/run/run.ts'
import type { AgentEvent } from '../../../src/core/watch/event/event.ts'

export interface Cost {
  readonly key: string
  readonly kind: 'model' | 'tool' | 'child'
  /** The model, the tool or the graph. */
  readonly name: string
  /** The state whose node made the calls. */
  readonly state: string
  calls: number
  /** The attempts of all calls, also those that a breaker refused. */
  attempts: number
  /** Attempts that failed, and calls that a breaker refused. */
  failed: number
  input: number
  output: number
  usd: number
  /** From the start of each call to its end, waits between attempts included. */
  ms: number
}

/** Adds up the costs of rows. Keeps its place: later events are read on, earlier ones from the start again. */
export class Costs {
  #next = 0
  readonly #costs = new Map<string, Cost>()
  readonly #started = new Map<string, number>()

  /** The costs up to an event, the most expensive first. A child thread counts with all that it has spent. */
  until(rows: readonly Row[], seq: number): readonly Readonly<Cost>[] {
    if (seq + 1 < this.#next) this.#restart()
    for (; this.#next <= seq; this.#next++) {
      const row = rows[this.#next]
      if (!row) break
      take(row, this.#costs, this.#started)
    }
    return [...this.#costs.values()]
      .map(cost => ({ ...cost }))
      .sort((a, b) => b.usd - a.usd || b.input + b.output - a.input - a.output || b.calls - a.calls)
  }

  #restart(): void {
    this.#next = 0
    this.#costs.clear()
    this.#started.clear()
  }
}

function take({ event }: Row, costs: Map<string, Cost>, started: Map<string, number>): void {
  if (!isCall(event)) return
  const cost = costOf(event, costs)
  switch (event.type) {
    case 'model.called':
    case 'tool.called':
    case 'child.started':
      cost.attempts++
      if (started.has(event.call)) return
      started.set(event.call, event.at)
      cost.calls++
      return
    case 'circuit.refused':
      if (!started.has(event.call)) cost.calls++
      cost.attempts++
      cost.failed++
      return
    case 'child.done':
      cost.output += event.spent.tokens
      cost.usd += event.spent.usd
      cost.ms += event.at - (started.get(event.call) ?? event.at)
      return
    case 'model.done':
    case 'model.failed':
    case 'tool.done':
    case 'tool.failed': {
      const isFailed = event.type === 'model.failed' || event.type === 'tool.failed'
      if (isFailed) cost.failed++
      if (!isFailed || event.final) cost.ms += event.at - (started.get(event.call) ?? event.at)
      if (!('usage' in event) || !event.usage) return
      cost.input += event.usage.input
      cost.output += event.usage.output
      cost.usd += event.usage.usd
      return
    }
    default:
  }
}

const isCall = (event: AgentEvent): event is CallEvent => 'call' in event && 'subject' in event

type CallEvent = Extract<AgentEvent, { readonly call: string; readonly subject: string }>

function costOf(event: CallEvent, costs: Map<string, Cost>): Cost {
  const kind = kindOf(event)
  const state = event.effect.replace(/#\d+$/, '')
  const key = JSON.stringify([kind, event.subject, state])
  const known = costs.get(key)
  if (known) return known
  const zero = { calls: 0, attempts: 0, failed: 0, input: 0, output: 0, usd: 0, ms: 0 }
  const cost: Cost = { key, kind, name: event.subject, state, ...zero }
  costs.set(key, cost)
  return cost
}

function kindOf(event: CallEvent): Cost['kind'] {
  if (event.type.startsWith('child')) return 'child'
  const isModel = 'kind' in event ? event.kind === 'model' : event.type.startsWith('model')
  return isModel ? 'model' : 'tool'
}
