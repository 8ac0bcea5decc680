/** The rows of the timeline: one span for each thing that took time, such as a call with all its attempts. */
import type { Chart } from '../../../src/core/graph/chart.ts'
import { callOfQuestion } from '../../../src/core/run/question-id.ts'
import type { Row } from '../../../src/core/run/run.ts'
import type { AgentEvent } from '../../../src/core/watch/event/event.ts'

export type SpanKind = 'state' | 'model' | 'tool' | 'child' | 'question' | 'loop' | 'escape'

/** A thing on the timeline, from its first event to its last. */
export interface Span {
  readonly kind: SpanKind
  readonly name: string
  readonly from: number
  /** The seq of its last event. Open things end with the journal. */
  to: number
  readonly startedAt: number
  endedAt: number
  open: boolean
  outcome: 'ok' | 'failed' | 'refused' | 'open'
  attempts: number
}

/** The spans without an end, by the effect or the call that ends them. */
type OpenSpans = Map<string, Span>

type OfCall = Extract<AgentEvent, { readonly call: string }>

/** How many spans there are of each kind, and how many calls were in vain. */
export type SpanCounts = Readonly<Partial<Record<SpanKind | 'failed', number>>>

/** An edge from a state that asks a person, to one, or both. */
type Asking = Readonly<{ from?: string; to?: string }>

/** The edges that open questions of nodes and reviews, or close them, by id. */
export function askingIn({ states, edges }: Chart): ReadonlyMap<string, Asking> {
  const asking = states.filter(({ effects }) => effects.some(({ type }) => type === 'interrupt'))
  const asks = new Set(asking.map(({ id }) => id))
  return new Map(
    edges.map(({ id, source, target }) => [
      id,
      { ...(asks.has(source) && { from: source }), ...(asks.has(target) && { to: target }) },
    ]),
  )
}

/** Folds rows into spans. The cost of a row does not depend on the number of rows before it. */
export class Spans {
  readonly all: Span[] = []
  /** All spans but those of states. */
  readonly things: Span[] = []
  readonly #counts: Partial<Record<SpanKind | 'failed', number>> = {}
  readonly #states: OpenSpans = new Map()
  readonly #calls: OpenSpans = new Map()
  /** By their states, or by the calls they are about. */
  readonly #questions: OpenSpans = new Map()
  readonly #asking: ReadonlyMap<string, Asking>

  /** `asking`: the edges of the graph, if it is known. */
  constructor(asking: ReadonlyMap<string, Asking> = new Map()) {
    this.#asking = asking
  }

  get counts(): SpanCounts {
    return this.#counts
  }

  take(row: Row): void {
    const { seq, event, findings, verdict } = row
    if (event.type === 'turn.started')
      this.#states.set(event.effect, this.#start(row, 'state', nameOf(event.effect)))
    if (event.type === 'node.done') this.#finish(row, this.#states, event.effect, 'ok')
    if (event.type === 'node.failed') this.#finish(row, this.#states, event.effect, 'failed')
    if ('call' in event && event.call !== undefined) this.#takeCall(row, event as OfCall)
    if (event.type === 'resume') {
      const { effect } = event
      this.#finish(row, this.#questions, callOfQuestion(effect) ?? effect, 'ok')
    }
    for (const finding of findings) {
      const { kind, period, repeats, onset } = finding
      const isLoop = kind === 'loop' || kind === 'stall'
      const from = isLoop ? onset : seq
      const name = isLoop ? `${kind} ${period} × ${repeats}` : kind
      this.#add({ row, kind: 'loop', name, from })
    }
    if (verdict.kind === 'escape') {
      const { route } = verdict
      this.#add({ row, kind: 'escape', name: route.rung, from: seq })
    }
    this.#takeQuestions(row)
  }

  #takeQuestions(row: Row): void {
    for (const edge of row.edges) {
      const { from, to } = this.#asking.get(edge) ?? {}
      if (from !== undefined) this.#finish(row, this.#questions, from, 'ok')
      if (to !== undefined) this.#questions.set(to, this.#start(row, 'question', to))
    }
    if (!row.ended) return
    for (const open of [...this.#questions.keys()]) this.#finish(row, this.#questions, open, 'ok')
  }

  #takeCall(row: Row, event: OfCall): void {
    const { call } = event
    switch (event.type) {
      case 'tool.called':
      case 'model.called': {
        const span = this.#callSpan(row, call, event.type === 'tool.called' ? 'tool' : 'model')
        span.attempts = event.attempt
        span.to = row.seq
        return
      }
      case 'tool.failed':
      case 'model.failed':
        if (event.final) this.#finish(row, this.#calls, call, 'failed')
        return
      case 'tool.done':
      case 'model.done':
        this.#finish(row, this.#calls, call, 'ok')
        return
      case 'circuit.refused':
        this.#callSpan(row, call, event.kind)
        this.#finish(row, this.#calls, call, 'refused')
        return
      case 'call.proposed': {
        const span = this.#start(row, 'question', `approve ${event.subject}`)
        this.#questions.set(call, span)
        return
      }
      case 'child.started':
        this.#callSpan(row, call, 'child')
        return
      case 'child.done':
        this.#finish(row, this.#calls, call, event.outcome === 'success' ? 'ok' : 'failed')
        return
      default:
    }
  }

  /** The span of a call, which its first event starts. */
  #callSpan(row: Row, call: string, kind: SpanKind): Span {
    const known = this.#calls.get(call)
    if (known) return known
    const span = this.#start(row, kind, 'subject' in row.event ? row.event.subject : call)
    this.#calls.set(call, span)
    return span
  }

  #push(span: Span): void {
    this.all.push(span)
    if (span.kind !== 'state') this.things.push(span)
    this.#count(span.kind)
  }

  #count(of: SpanKind | 'failed'): void {
    this.#counts[of] = (this.#counts[of] ?? 0) + 1
  }

  #start({ seq, event }: Row, kind: SpanKind, name: string): Span {
    const span: Span = {
      ...{ kind, name, from: seq, to: seq, startedAt: event.at, endedAt: event.at },
      ...{ open: true, outcome: 'open', attempts: 1 },
    }
    this.#push(span)
    return span
  }

  #finish(row: Row, open: OpenSpans, id: string, outcome: Span['outcome']): void {
    const span = open.get(id)
    if (!span) return
    open.delete(id)
    span.to = row.seq
    span.endedAt = row.event.at
    span.open = false
    span.outcome = outcome
    if (outcome === 'failed' || outcome === 'refused') this.#count('failed')
  }

  #add({ row, kind, name, from }: { row: Row; kind: SpanKind; name: string; from: number }): void {
    const { at } = row.event
    this.#push({
      ...{ kind, name, from, to: row.seq, startedAt: at, endedAt: at },
      ...{ open: false, outcome: 'ok', attempts: 1 },
    })
  }
}

const nameOf = (effect: string): string => effect.replace(/#\d+$/, '')
