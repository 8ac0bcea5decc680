/** Processes in virtual time. Each is a function of seed and time: what the agent does cannot change it. */
import { type Chance, exponential } from './chance.ts'

/** Whether a span is active at a time, in ms since the start. Times may be asked in any order. */
export type Spans = (at: number) => boolean

interface Alternating {
  /** The length of the nth phase. Phases with an odd number are active. */
  readonly length: (phase: number) => number
  /** The time in the first cycle at which the run starts. */
  readonly offset?: number
}

/** Phases in turn. Their ends are computed as far as time has come. */
function alternating({ length, offset = 0 }: Alternating): Spans {
  const ends: number[] = []
  return at => {
    const time = at + offset
    let end = ends.at(-1) ?? 0
    while (end <= time) {
      // A phase of no length would never pass.
      end += Math.max(1, length(ends.length))
      ends.push(end)
    }
    return ends.findIndex(end => time < end) % 2 === 1
  }
}

/** A Markov process with two states (Gilbert and Elliott): `enter` is the mean time between bursts, `exit` their mean length. */
export function burst(of: { enter: number; exit: number }, chance: Chance): Spans {
  const length = (phase: number) =>
    exponential(phase % 2 === 0 ? of.enter : of.exit, chance('phase', phase))
  return alternating({ length })
}

export function flap(of: { up: number; down: number; jitter: number }, chance: Chance): Spans {
  const length = (phase: number) => {
    const swing = 1 + of.jitter * (2 * chance('phase', phase) - 1)
    return (phase % 2 === 0 ? of.up : of.down) * swing
  }
  return alternating({ length, offset: chance('offset') * (of.up + of.down) })
}

/**
 * Spans of equal length, each active with probability `p`. In each span, a member follows the span of its group with probability
 * √rho and its own one otherwise: the correlation of two members is then rho.
 */
export function correlated(
  of: { p: number; rho: number; per: number },
  shared: Chance,
  own: Chance,
): Spans {
  return at => {
    const span = Math.floor(at / of.per)
    const chance = own('follows', span) < Math.sqrt(of.rho) ? shared : own
    return chance('span', span) < of.p
  }
}

export const outage = (of: { at: number; for: number }): Spans => {
  return at => at >= of.at && at < of.at + of.for
}

/** The probability at a time. */
export function degraded(of: { from: number; to: number; over: number }, at: number): number {
  return of.from + (of.to - of.from) * Math.min(1, at / of.over)
}
