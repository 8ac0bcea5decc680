/** Whether a fault occurs at a call, by its process. */
import type { Process } from '../scenario/process.ts'
import type { Chance } from './chance.ts'
import { overload, quota } from './demand.ts'
import { burst, correlated, degraded, flap, outage, type Spans } from './spans.ts'

/** One call of a target. */
export interface Occasion {
  /** Counted from 1; each attempt counts. */
  readonly index: number
  /** The request, and its attempt from the second one on, as `2.3`. It keys random numbers: more attempts do not shift later requests. */
  readonly drawKey: string
  /** In ms since the start. */
  readonly at: number
}

/** Keyed random numbers: `time` by the fault or its group, `own` by the fault and the target, `call` by the fault and the call. */
export interface Chances {
  readonly time: Chance
  readonly own: Chance
  readonly call: (occasion: Occasion) => Chance
}

export type Occurs = (occasion: Occasion) => boolean

const always: Occurs = () => true

/** The process of a fault on one target. */
export function occurrence(process: Process, chances: Chances, path = ''): Occurs {
  if (process === 'always') return always
  if (process === 'never') return () => false
  const { any, all, not, p, nth, every, first, after } = process
  const inner = (of: Process, at: string | number) => occurrence(of, chances, `${path}/${at}`)
  if (any) return someOf(any.map(inner))
  if (all) return everyOf(all.map(inner))
  if (not) return negated(inner(not, 'not'))
  if (nth) return ({ index }) => nth.includes(index)
  if (every !== undefined) return ({ index }) => index % every === 0
  if (first !== undefined) return ({ index }) => index <= first
  if (after !== undefined) return ({ index }) => index > after
  const happens = (probability: number, occasion: Occasion) =>
    chances.call(occasion)(`${path}p`) < probability
  if (p !== undefined) return occasion => happens(p, occasion)
  return byTime(process, chances, happens) ?? byDemand(process, chances)
}

/** Each process counts each call, so none of them is skipped. */
const someOf =
  (inner: readonly Occurs[]): Occurs =>
  occasion =>
    inner.map(occurs => occurs(occasion)).includes(true)
const everyOf =
  (inner: readonly Occurs[]): Occurs =>
  occasion =>
    !inner.map(occurs => occurs(occasion)).includes(false)
const negated =
  (inner: Occurs): Occurs =>
  occasion =>
    !inner(occasion)

type Single = Exclude<Process, string>

function byTime(
  { burst: bursts, flap: flaps, outage: window, correlate, degrade }: Single,
  { time, own }: Chances,
  happens: (probability: number, occasion: Occasion) => boolean,
): Occurs | undefined {
  const within =
    (spans: Spans, p = 1): Occurs =>
    occasion =>
      spans(occasion.at) && (p === 1 || happens(p, occasion))
  if (bursts) return within(burst(bursts, time), bursts.p)
  if (flaps) return within(flap(flaps, time))
  if (window) return within(outage(window))
  if (correlate) return within(correlated(correlate, time, own))
  return degrade && (occasion => happens(degraded(degrade, occasion.at), occasion))
}

function byDemand({ rate, load }: Single, { call }: Chances): Occurs {
  if (rate) {
    const refuses = quota(rate)
    return ({ at }) => refuses(at)
  }
  if (!load) return () => false
  const fails = overload(load)
  return occasion => fails(occasion.at, call(occasion)('load'))
}
