/** The metrics of the driven threads for Prometheus. Each event costs the same, however many came before it. */
import { Counter, Gauge, Histogram, Registry } from 'prom-client'
import type { Row } from '../../core/run/run.ts'
import type { Stamped } from '../../core/watch/event/event.ts'
import type { OfCall, Usage } from '../../core/watch/event/call-event.ts'
import type { LiveRow, LiveRows } from '../../runtime/ports.ts'
import { InProgress } from './in-progress.ts'

const STEP_SECONDS = [0.005, 0.05, 0.25, 1, 5, 15, 60, 300]
const CALL_SECONDS = [0.01, 0.1, 0.5, 1, 2.5, 5, 10, 30, 60, 120]

/** A value that is read when Prometheus asks. */
export type Sample = Readonly<{ labels: Readonly<Record<string, string>>; value: number }>

/** The time of a start in ms, or the rung of an escape whose result is open. */
type Entry = Readonly<{ at: number; rung?: string }>

interface Observed {
  readonly thread: string
  readonly graph: string
  readonly event: Stamped
}

type Paid = Pick<OfCall, 'subject' | 'recorded'> & { readonly usage?: Usage }

export class Metrics {
  readonly registry = new Registry()
  readonly #open = new InProgress<Entry>()
  readonly #runs = this.#counter('runs', 'Ended rounds.', ['graph', 'outcome'])
  readonly #loops = this.#counter('findings', 'Findings of the watchdog.', [
    'graph',
    'detector',
    'kind',
  ])
  readonly #escapes = this.#counter('escapes', 'Escapes.', ['graph', 'rung'])
  readonly #results = this.#counter(
    'escape_results',
    'What followed an escape: another escape (again), or the end of the round with its outcome.',
    ['graph', 'rung', 'result'],
  )
  readonly #efficacy = new Gauge({
    name: 'escapement_rung_efficacy',
    help: 'The share of the escapes with a result that led to the goal without another escape.',
    labelNames: ['graph', 'rung'],
    registers: [this.registry],
  })
  readonly #circuits = this.#counter('breaker_changes', 'Changes of circuit breakers.', [
    'resource',
    'state',
  ])
  readonly #stuck = this.#counter('stuck_threads', 'Threads that a sweep found.', ['graph', 'code'])
  readonly #usd = this.#counter('usd', 'Spent US dollars.', ['graph', 'model'])
  readonly #tokens = this.#counter('tokens', 'Tokens of models.', ['graph', 'model', 'type'])
  readonly #steps = this.#histogram('step_seconds', 'Time of a step.', STEP_SECONDS, [
    'graph',
    'node',
    'result',
  ])
  readonly #models = this.#histogram('model_seconds', 'Time of a model attempt.', CALL_SECONDS, [
    'graph',
    'model',
    'result',
  ])
  readonly #tools = this.#histogram('tool_seconds', 'Time of a tool attempt.', CALL_SECONDS, [
    'graph',
    'tool',
    'result',
  ])
  /** By graph and rung: the escapes with a result, and those that led to the goal. */
  readonly #settled = new Map<string, { all: number; good: number }>()

  /** Adds a gauge that is read when Prometheus asks. */
  gauge(name: string, help: string, labels: string[], read: () => Promise<readonly Sample[]>) {
    new Gauge({
      name: `escapement_${name}`,
      help,
      labelNames: labels,
      registers: [this.registry],
      async collect() {
        const samples = await read()
        this.reset()
        for (const { labels, value } of samples) this.set(labels, value)
      },
    })
  }

  /** Counts a thread that no event would continue. */
  observeStuck(graph: string, code: string): void {
    this.#stuck.inc({ graph, code })
  }

  /** Counts stored rows. */
  observe({ thread, graph, items }: LiveRows): void {
    for (const item of items) this.#observeRow(thread, graph, item)
  }

  #observeRow(thread: string, graph: string, { row }: LiveRow): void {
    this.#observeEvent({ thread, graph, event: row.event })
    for (const { detector, kind } of row.findings) this.#loops.inc({ graph, detector, kind })
    if (row.verdict.kind === 'escape') this.#escape(thread, graph, row, row.verdict.route)
    if (!row.ended) return
    const { outcome } = row.ended
    this.#runs.inc({ graph, outcome })
    for (const { rung } of this.#open.end(thread))
      if (rung !== undefined) this.#settle(graph, rung, outcome)
  }

  #escape(
    thread: string,
    graph: string,
    { event }: Row,
    route: { readonly rung: string; readonly by?: string; readonly region: string },
  ): void {
    const rung = route.by ?? route.rung
    this.#escapes.inc({ graph, rung })
    const key = `escape ${route.region}`
    const before = this.#open.take(thread, key)?.rung
    if (before !== undefined) this.#settle(graph, before, 'again')
    this.#open.of(thread).set(key, { at: event.at, rung })
  }

  #settle(graph: string, rung: string, result: string): void {
    this.#results.inc({ graph, rung, result })
    const key = JSON.stringify([graph, rung])
    const { all, good } = this.#settled.get(key) ?? { all: 0, good: 0 }
    const next = { all: all + 1, good: good + Number(result === 'success') }
    this.#settled.set(key, next)
    this.#efficacy.set({ graph, rung }, next.good / next.all)
  }

  #observeEvent({ thread, graph, event }: Observed): void {
    switch (event.type) {
      case 'turn.started':
        this.#open.of(thread).set(event.effect, event)
        break
      case 'turn.left':
        this.#open.take(thread, event.effect)
        break
      case 'model.called':
      case 'tool.called':
        if (!event.recorded) this.#open.of(thread).set(event.call, event)
        break
      case 'circuit.opened':
      case 'circuit.halfOpened':
      case 'circuit.closed': {
        const resource = `${graph}/${event.kind}:${event.subject}`
        this.#circuits.inc({ resource, state: STATES[event.type] })
        break
      }
      default:
        this.#observeEnd({ thread, graph, event })
    }
  }

  #observeEnd({ thread, graph, event }: Observed): void {
    const result = event.type.endsWith('.done') ? 'done' : 'failed'
    switch (event.type) {
      case 'node.done':
      case 'node.failed': {
        const node = event.effect.replace(/#\d+$/, '')
        this.#observeTime(this.#steps, { graph, node, result }, thread, event)
        break
      }
      case 'tool.done':
      case 'tool.failed':
        this.#observeTime(this.#tools, { graph, tool: event.subject, result }, thread, event)
        break
      case 'model.done':
      case 'model.failed':
        this.#observeTime(this.#models, { graph, model: event.subject, result }, thread, event)
        this.#spend(graph, event)
        break
      case 'call.late':
        this.#spend(graph, event)
    }
  }

  /** Observes the seconds since the start, unless another process saw it. */
  #observeTime<L extends string>(
    histogram: Histogram<L>,
    labels: Partial<Record<L, string>>,
    thread: string,
    event: { readonly at: number; readonly effect: string; readonly call?: string },
  ): void {
    const start = this.#open.take(thread, event.call ?? event.effect)
    if (start) histogram.observe(labels, (event.at - start.at) / 1_000)
  }

  #spend(graph: string, { subject: model, usage, recorded }: Paid): void {
    if (!usage || recorded) return
    this.#usd.inc({ graph, model }, usage.usd)
    this.#tokens.inc({ graph, model, type: 'input' }, usage.input - usage.cached)
    this.#tokens.inc({ graph, model, type: 'cached' }, usage.cached)
    this.#tokens.inc({ graph, model, type: 'output' }, usage.output)
  }

  #counter<L extends string>(name: string, help: string, labelNames: L[]): Counter<L> {
    const options = { name: `escapement_${name}_total`, help, labelNames }
    return new Counter({ ...options, registers: [this.registry] })
  }

  #histogram<L extends string>(name: string, help: string, buckets: number[], labelNames: L[]) {
    const options = { name: `escapement_${name}`, help, buckets, labelNames }
    return new Histogram<L>({ ...options, registers: [this.registry] })
  }
}

const STATES = {
  'circuit.opened': 'open',
  'circuit.halfOpened': 'half-open',
  'circuit.closed': 'closed',
} as const
