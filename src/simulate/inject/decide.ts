/** Decides which faults of a scenario occur at a call, and which effects of a tape. */
import { chanceOf } from '../process/chance.ts'
import { type Occurs, occurrence } from '../process/occurrence.ts'
import { matchesTarget } from '../scenario/check.ts'
import type { Fault, When } from '../scenario/fault.ts'
import type { Scenario } from '../scenario/scenario.ts'
import { type Decide, type Hit, type Tape, type TargetCall, targetOf } from './call.ts'

/** The faults of a scenario, with a seed. */
export function faultsOfSeed(
  { faults, heal }: Pick<Scenario, 'faults' | 'heal'>,
  seed: number,
): Decide {
  const occurred = new Set<string>()
  const deciders = faults.map(fault => decider(fault, seed, occurred))
  return call => {
    const hits = deciders.flatMap(decide => decide(call) ?? [])
    return heal !== undefined && call.at >= heal ? [] : note(hits, occurred)
  }
}

function note(hits: readonly Hit[], occurred: Set<string>): readonly Hit[] {
  for (const { fault } of hits) occurred.add(fault)
  return hits
}

type DecideOne = (call: TargetCall) => Hit | undefined

function decider(fault: Fault, seed: number, occurred: ReadonlySet<string>): DecideOne {
  const { id, when, how, what, arm, limit = Number.POSITIVE_INFINITY, group = id } = fault
  const chance = chanceOf(seed)
  if (arm < 1 && chance(id, 'arm') >= arm) return () => undefined
  /** Each target has a process of its own; `null`: the fault is on another target. */
  const processes = new Map<string, Occurs | null>()
  const processOf = (call: TargetCall) => {
    const target = targetOf(call)
    const known = processes.get(target)
    if (known !== undefined) return known
    if (!isTarget(fault, call)) {
      processes.set(target, null)
      return null
    }
    const occurs = occurrence(how, {
      time: (...purpose) => chance(group, ...purpose),
      own: (...purpose) => chance(id, target, 'own', ...purpose),
      call:
        ({ drawKey }) =>
        (...purpose) =>
          chance(id, target, drawKey, ...purpose),
    })
    processes.set(target, occurs)
    return occurs
  }
  let times = 0
  return call => {
    const occurs = processOf(call)?.(call)
    if (!occurs || times >= limit || !holds(when, call, occurred)) return undefined
    times += 1
    return { fault: id, effect: what }
  }
}

function isTarget({ on }: Fault, call: TargetCall): boolean {
  if (on.kind !== call.kind) return false
  if (on.effects !== undefined && on.effects !== call.effects) return false
  return call.name === '' || matchesTarget(on, call.name)
}

function holds(when: When, call: TargetCall, occurred: ReadonlySet<string>): boolean {
  const { calls, time, attempt, node, visit, afterFault } = when
  const isIn = (value: number, range: readonly [number, number] | undefined) =>
    !range || (value >= range[0] && value <= range[1])
  return (
    isIn(call.index, calls) &&
    isIn(call.visit, visit) &&
    (!time || (call.at >= time[0] && call.at < time[1])) &&
    (attempt === undefined || attempt === call.attempt) &&
    (node === undefined || node === call.node) &&
    (afterFault === undefined || occurred.has(afterFault))
  )
}

/** The effects of a tape, at the same calls. It needs no random numbers. */
export function faultsOfTape(tape: Tape): Decide {
  const key = (target: string, index: number) => `${target} ${index}`
  const hits = new Map<string, Hit[]>()
  for (const { target, index, fault, effect } of tape) {
    const at = key(target, index)
    hits.set(at, [...(hits.get(at) ?? []), { fault, effect }])
  }
  return call => hits.get(key(targetOf(call), call.index)) ?? []
}
