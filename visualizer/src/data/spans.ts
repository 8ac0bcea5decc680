/** The rows of the timeline: one span for each thing that took time, such as a call with all its attempts. */
import type { Row } from '../../../src/core/run.ts'
import type { AgentEvent } from '../../../src/core/watch/event/event.ts'

export type SpanKind = 'state' | 'model' | 'tool' | 'child' | 'question' | 'loop' | 'escape'

/** A thing on the timeline, from its first event to its last. */
export interface Span {
  readonly key: string
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
  detail: string
}

type OfCall = Extract<AgentEvent, { readonly call: string }>

/** How many spans there are of each kind, and how many calls were in vain. */
export type SpanCounts = Readonly<Partial<Record<SpanKind | 'failed', number>>>

/** Folds rows into spans. The cost of a row does not depend on the number of rows before it. */
export class Spans {
  readonly all: Span[] = []
  /** All spans but those of states. */
  readonly things: Span[] = []
  readonly #counts: Partial<Record<SpanKind | 'failed', number>> = {}
  readonly #open = new Map<string, Span>()

  get counts(): SpanCounts {
    return this.#counts
  }

  take(row: Row): void {
    const { seq, event, findings, verdict } = row
    if (event.type === 'turn.started') this.#start(row, event.effect, 'state', nameOf(event.effect))
    if (event.type === 'node.done' || event.type === 'node.failed')
      this.#finish(row, event.effect, event.type === 'node.done' ? 'ok' : 'failed')
    if ('call' in event && event.call !== undefined) this.#takeCall(row, event as OfCall)
    if (event.type === 'resume') this.#finish(row, `question ${event.effect}`, 'ok', event.decision)
    for (const finding of findings) {
      const { kind, period, repeats, onset, id } = finding
      const isLoop = kind === 'loop' || kind === 'stall'
      const from = isLoop ? onset : seq
      const name = isLoop ? `${kind} ${period} × ${repeats}` : kind
      this.#add({ row, key: `finding ${id} ${seq}`, kind: 'loop', name, from })
    }
    if (verdict.kind === 'escape') {
      const { route } = verdict
      this.#add({ row, key: `escape ${seq}`, kind: 'escape', name: route.rung, from: seq })
      if (route.rung === 'review') this.#start(row, `question review`, 'question', 'review')
    }
  }

  #takeCall(row: Row, event: OfCall): void {
    const key = `call ${event.call}`
    switch (event.type) {
      case 'tool.called':
      case 'model.called': {
        const kind = event.type === 'tool.called' ? 'tool' : 'model'
        const span = this.#open.get(key) ?? this.#start(row, key, kind, event.subject)
        span.attempts = event.attempt
        span.to = row.seq
        return
      }
      case 'tool.failed':
      case 'model.failed': {
        const span = this.#open.get(key)
        if (span) span.detail = event.failure.message.slice(0, 200)
        if (event.final) this.#finish(row, key, 'failed')
        return
      }
      case 'tool.done':
      case 'model.done':
        this.#finish(row, key, 'ok')
        return
      case 'circuit.refused': {
        if (!this.#open.has(key)) this.#start(row, key, event.kind, event.subject)
        this.#finish(row, key, 'refused', 'breaker open')
        return
      }
      case 'call.proposed':
        this.#start(row, `question ${event.effect}`, 'question', `approve ${event.subject}`)
        return
      case 'child.started':
        this.#start(row, key, 'child', event.subject)
        return
      case 'child.done':
        this.#finish(row, key, event.outcome === 'success' ? 'ok' : 'failed', event.reason)
        return
      default:
    }
  }

  #push(span: Span): void {
    this.all.push(span)
    if (span.kind !== 'state') this.things.push(span)
    this.#count(span.kind)
  }

  #count(of: SpanKind | 'failed'): void {
    this.#counts[of] = (this.#counts[of] ?? 0) + 1
  }

  #start({ seq, event }: Row, key: string, kind: SpanKind, name: string): Span {
    const span: Span = {
      ...{ key, kind, name, from: seq, to: seq, startedAt: event.at, endedAt: event.at },
      ...{ open: true, outcome: 'open', attempts: 1, detail: '' },
    }
    this.#push(span)
    this.#open.set(key, span)
    return span
  }

  #finish(row: Row, key: string, outcome: Span['outcome'], detail?: string): void {
    const span = this.#open.get(key)
    if (!span) return
    this.#open.delete(key)
    span.to = row.seq
    span.endedAt = row.event.at
    span.open = false
    span.outcome = outcome
    if (outcome === 'failed' || outcome === 'refused') this.#count('failed')
    if (detail !== undefined) span.detail = detail
  }

  #add(of: { row: Row; key: string; kind: SpanKind; name: string; from: number }): void {
    const { row, key, kind, name, from } = of
    const { at } = row.event
    this.#push({
      ...{ key, kind, name, from, to: row.seq, startedAt: at, endedAt: at },
      ...{ open: false, outcome: 'ok', attempts: 1, detail: '' },
    })
  }
}

const nameOf = (effect: string): string => effect.replace(/#\d+$/, '')
