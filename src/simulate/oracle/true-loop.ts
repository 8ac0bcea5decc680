/** The ground truth about loops: the same tools again and again, without progress in the fake system. */
import type { Row } from '../../core/run/run.ts'

/** A loop according to the fake system, not to the detectors. */
export interface TrueLoop {
  /** The event of its first call. */
  readonly onset: number
  /** The event at which it was certain. */
  readonly certain: number
  /** The event at which a detector found it. */
  readonly noticed?: number
}

/** What the fake system says about the detectors in one run. */
export interface LoopTruth {
  readonly loops: readonly TrueLoop[]
  /** Findings of a loop while nothing was repeated without progress. */
  readonly falseAlarms: number
  /** Steps with progress, or without a repetition. */
  readonly healthySteps: number
}

/** Requests of one tool without progress that make a loop: the answer to the third did not help either. */
const CERTAIN = 4
/** Requests of one tool without progress that make a claim true: the request that made the progress can precede them. */
const REPEATED = 2

/** Findings that claim a loop. */
const CLAIMS: ReadonlySet<string> = new Set(['loop', 'stall'])

export class LoopWatch {
  readonly #progress: () => number
  #last: number
  /** The requests since the last progress, by tool: the first event, and how often. */
  #calls = new Map<string, { readonly onset: number; times: number }>()
  #loops: TrueLoop[] = []
  #open = false
  #falseAlarms = 0
  #healthySteps = 0

  constructor(progress: () => number) {
    this.#progress = progress
    this.#last = progress()
  }

  observe({ seq, event, findings, verdict }: Row): void {
    const progress = this.#progress()
    if (progress > this.#last) this.#reset()
    this.#last = Math.max(this.#last, progress)
    if (event.type === 'turn.started' && !this.#open) this.#healthySteps++
    for (const signature of signaturesOf(event)) this.#count(signature, seq)
    if (findings.some(({ kind }) => CLAIMS.has(kind))) this.#claim(seq)
    // An escape starts something else.
    if (verdict.kind === 'escape') this.#reset()
  }

  get truth(): LoopTruth {
    return {
      loops: this.#loops,
      falseAlarms: this.#falseAlarms,
      healthySteps: this.#healthySteps,
    }
  }

  #reset(): void {
    this.#calls.clear()
    this.#open = false
  }

  #count(signature: string, seq: number): void {
    const known = this.#calls.get(signature) ?? { onset: seq, times: 0 }
    known.times++
    this.#calls.set(signature, known)
    if (known.times < CERTAIN || this.#open) return
    this.#open = true
    this.#loops.push({ onset: known.onset, certain: seq })
  }

  /** A finding before certainty is early, not false. */
  #claim(seq: number): void {
    const last = this.#loops.at(-1)
    if (this.#open && last) {
      if (last.noticed === undefined)
        this.#loops[this.#loops.length - 1] = { ...last, noticed: seq }
      return
    }
    const near = [...this.#calls.values()].find(({ times }) => times >= REPEATED)
    if (near) this.#loops.push({ onset: near.onset, certain: seq, noticed: seq })
    else this.#falseAlarms++
  }
}

/**
 * The tools that the agent requests, whatever the arguments: a reworded search is the same step. Attempts and retries of the
 * runtime do not count.
 */
function signaturesOf(event: Row['event']): readonly string[] {
  // A request of a model that is refused makes no call.
  if (event.type === 'model.done')
    return event.calls.length > 0
      ? event.calls.map(({ tool }) => `requested ${tool}`)
      : [`answered ${event.subject}`]
  if (event.type === 'tool.called' && event.attempt === 1 && event.instead === undefined)
    return [`called ${event.subject}`]
  return []
}
