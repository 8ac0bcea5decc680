/** The figures of the worst case, and the worst case of a limit: the limit, its extensions, and the overshoot known only afterwards. */
import { defined } from '../../watch/data/json.ts'
import { extensionOf } from '../../watch/budget/account.ts'
import { LOOPS_MAX } from '../../watch/escape/ladder.ts'
import type { Spent } from '../../watch/event/call-event.ts'
import { RUNGS } from '../../watch/policy/policy-keys.ts'
import type { Counted, Policy } from '../../watch/policy/policy.ts'
import { isCustomUse } from '../spec/name.ts'
import { type Spec, nodesOf, targetsOf, workingNodes } from '../spec/spec.ts'
import { formatAmount } from './amount.ts'

/** Marks a limit that the spec does not set. */
export const DEFAULT = '(default)'

/** The smaller of the limits of the thread and of its rounds, with extensions and overshoot. */
export function tightestLimit(spec: Spec, policy: Policy, unit: keyof Spent, overshoot: Figure) {
  const { limits } = policy
  const ofThread = limits[unit] ?? Number.POSITIVE_INFINITY
  const ofRound = limits.round?.[unit] ?? Number.POSITIVE_INFINITY
  const limit = Math.min(ofThread, ofRound)
  if (limit === Number.POSITIVE_INFINITY) return unknown(`set limits.${unit}`)
  const renewal = extensionOf(unit, limit)
  const renewals = renewalsOf(spec, policy)
  const most = limit + renewals * renewal
  const path = ofRound < ofThread ? `limits.round.${unit}` : `limits.${unit}`
  const origin = ofThread <= ofRound && spec.limits[unit] === undefined ? ` ${DEFAULT}` : ''
  const because = [
    `${path}: ${formatAmount(limit, unit)}${origin}`,
    ...(renewals === 0 ? [] : [renewalText(formatAmount(renewal, unit), renewals)]),
    ...(overshoot.most === 0 ? [] : [overshoot.because]),
  ].join(', and ')
  if (isUnknown(overshoot)) return { ...unknown(because), stopsAt: most }
  const isWhole = unit !== 'usd' && unit !== 'duration'
  return { most: isWhole ? Math.floor(most + overshoot.most) : most + overshoot.most, because }
}

function renewalText(amount: string, times: number): string {
  return `${amount} more ${times === 1 ? 'when an escape continues' : `each of ${times} times an escape continues`} past it`
}

/** How often escapes can continue past one limit, by the budgets and the restarts of the ladder. */
function renewalsOf(spec: Spec, policy: Policy): number {
  const { escape } = policy
  const { ladder, budget, restarts, review } = escape
  const times = (rung: Counted, isPossible: boolean) => {
    if (!isPossible || !ladder.includes(rung)) return 0
    const { perLoop, total } = budget[rung]
    // The ladder forgets the count of a finding once `LOOPS_MAX` others have taken the same rung.
    const round = perLoop + LOOPS_MAX
    return Math.floor(total / round) * perLoop + Math.min(perLoop, total % round)
  }
  const hasBudgetEdge = [...nodesOf(spec).values()].some(node => targetsOf(node).budget)
  const isAsking = mayAct(policy) && review !== undefined
  const once = times('alternative', hasBudgetEdge) + times('review', isAsking)
  return mayProgress(spec) ? once * (restarts + 1) : once
}

/** Whether findings act, with or without a follower. */
const mayAct = ({ mode, escape }: Policy): boolean =>
  mode === 'act' || escape.unattended?.mode === 'act'

/** Whether the graph can make progress, which restarts the ladder. */
function mayProgress(spec: Spec): boolean {
  if (spec.machine !== undefined || spec.progress !== undefined) return true
  const writes = Object.values(spec.tools).some(({ use, effects }) =>
    effects === undefined ? isCustomUse(use) : effects === 'write',
  )
  return writes || workingNodes(spec).some(([, { phase }]) => phase === true)
}

/** A custom rung: its code decides how often it continues past a limit. */
export const customRung = ({ escape }: Policy): string | undefined =>
  escape.ladder.find(rung => !RUNGS.some(name => name === rung))

/** The part of a bound graph that the worst case reads. */
export interface BoundTools {
  readonly tools: Readonly<
    Record<string, Readonly<{ timeout: number; effects: string; compensate?: unknown }>>
  >
}

/**
 * The longest time of a call that undoes another, which no deadline of a node ends. 0 where undoing is impossible. Without its code, a
 * custom tool may undo what it writes.
 */
export function rollbackTime({ tools }: Spec, policy: Policy, code?: BoundTools): Figure {
  const { escape, retry } = policy
  const { perLoop, total } = escape.budget.rollback
  if (!mayAct(policy) || !escape.ladder.includes('rollback') || perLoop * total === 0)
    return NOTHING
  const times = Object.entries(tools).flatMap(
    ([name, { use, effects, retry: custom, ...tool }]) => {
      const bound = code?.tools[name]
      const canUndo = bound
        ? bound.effects === 'write' && bound.compensate !== undefined
        : isCustomUse(use) && effects !== 'read'
      if (!canUndo) return []
      const timeout = bound?.timeout ?? tool.timeout
      return timeout === undefined
        ? unknown(`unknown time to undo '${name}': set tools.${name}.timeout`)
        : { most: Math.max(timeout, { ...retry, ...defined(custom ?? {}) }.cap), because: '' }
    },
  )
  return maxFigure(times, NOTHING)
}

export interface Figure {
  /** The maximum; `Infinity` where the spec does not define it. Times are in ms. */
  readonly most: number
  /** The origin of the number, or the setting that would bound it. */
  readonly because: string
  /** The limit after which no further call is made, where only the size of the last calls is unknown. */
  readonly stopsAt?: number
}

export const NOTHING: Figure = { most: 0, because: '' }
export const unknown = (because: string): Figure => ({ most: Number.POSITIVE_INFINITY, because })
export const isUnknown = ({ most }: Figure): boolean => most === Number.POSITIVE_INFINITY

/** The largest figure; `none` if all are 0. */
export const maxFigure = (figures: readonly Figure[], none: Figure): Figure =>
  figures.reduce((max, figure) => (figure.most > max.most ? figure : max), none)
