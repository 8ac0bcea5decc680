/** One plain line per turn: node, outcome, finding, rung, budget. */
import { failureMessage } from '../../../core/watch/failure/failure.ts'
import { explain } from '../../../core/watch/catalog.ts'
import type { Row, Run } from '../../../core/run.ts'
import type { Item, Stamped } from '../../../core/watch/event.ts'
import type { Account } from '../../../core/watch/budget/account.ts'
import type { Failure } from '../../../core/watch/failure/failure.ts'
import type { Route } from '../../../core/watch/ladder.ts'
import type { Limits } from '../../../core/watch/policy.ts'
import { plain } from './plain.ts'

/** The line of a row; `undefined` for rows that no reader of a terminal misses. */
export function lineOf(row: Row, run: Run): string | undefined {
  const { event, verdict } = row
  const what = outcomeOf(row, run)
  if (what === undefined && verdict.kind === 'continue') return undefined
  const found =
    verdict.kind === 'continue'
      ? ''
      : `  ⟳ ${plain(verdict.because[0] ? explain(verdict.because[0].reason) : '')} → ${routeText(row)}`
  return `${String(row.seq).padStart(5)}  ${(nodeOf(event) ?? '').padEnd(10)} ${(what ?? event.type).padEnd(28)}${found}  [${budgetText(run)}]`
}

function outcomeOf({ event, edges, verdict }: Row, run: Run): string | undefined {
  const leads = edges[0]?.split('>')[1]
  switch (event.type) {
    case 'node.done':
      return `done${event.label ? `.${event.label}` : ''}${leads ? ` → ${leads}` : ''}`
    case 'node.failed':
      return `error.${event.failure.class}${leads ? ` → ${leads}` : ''}`
    case 'tool.failed':
    case 'model.failed':
      return `${event.subject} failed: ${failureText(event.failure)}${event.final ? '' : ', again soon'}`
    case 'call.proposed':
      return `asks whether ${event.subject} may be called`
    case 'circuit.opened':
      return `breaker of ${event.subject} opened`
    case 'circuit.refused':
      return `${event.subject} refused (breaker open)`
    case 'call.substituted':
      return `${event.subject} is out of order: ${event.by} answers`
    case 'turn.started':
      // A start that takes an edge is one too many: the process died at each before.
      return leads && verdict.kind === 'continue' ? `crash-loop → ${leads}` : undefined
    case 'rolledBack':
      return 'back at the mark'
    case 'rollback.failed':
      return 'could not be gone back to the mark'
    case 'resume':
      return `answered: ${event.rung ?? event.decision}`
    case 'tick':
      return passedText(event, run)
    case 'policy.changed':
      return `policy changed${event.change === undefined ? '' : `: ${JSON.stringify(event.change).slice(0, 120)}`}`
    case 'notified':
      return `${event.notifier} ${event.ok ? 'told' : `could not be told: ${event.detail}`}`
    case 'forked':
      return `fork of ${event.parent.thread}, effects ${event.effects}`
    case 'message':
      return 'message'
    case 'round.started':
      return 'next round'
    case 'scope.noted':
      return event.held && `held: thread ${event.held.thread} asks`
    case 'cancel':
      return 'cancelled'
    case 'child.started':
      return event.item ? undefined : `${event.subject} begins as ${event.thread}`
    case 'child.done':
      return event.item && !isPrinted(event.item) && event.outcome === 'success'
        ? undefined
        : childText(event)
    case 'child.refused':
      return `${event.subject} is not started: ${plain(failureMessage(event.failure))}`
    case 'child.waiting':
      return `waits with ${event.children.map(({ thread }) => thread).join(', ')} for people`
    case 'child.ended':
      return `goes on: ${event.thread} has ended`
    case 'call.late':
      return `late answer of ${event.subject}`
    default:
      return undefined
  }
}

function childText({
  subject,
  outcome,
  reason,
  item,
}: Extract<Stamped, { type: 'child.done' }>): string {
  const of = item ? ` ${item.index + 1}/${item.of}` : ''
  return `${subject}${of} ${outcome === 'success' ? 'done' : `${outcome}: ${reason}`}`
}

/** What tells most in few words: of a mere `Error` that is what it says. */
function failureText({ status, code, name, message }: Failure): string {
  return String(
    status ?? code ?? (name === 'Error' && message !== '' ? brief(plain(message)) : plain(name)),
  )
}

function brief(message: string): string {
  return message.length > MESSAGE ? `${message.slice(0, MESSAGE)}…` : message
}

/** Characters of a message in a line. */
const MESSAGE = 60

/** Of a million items a few are told. */
function isPrinted({ index, of }: Item): boolean {
  return (index + 1) % Math.ceil(of / LINES) === 0
}

/** Lines that a map prints of its items, those that fail not counted. */
const LINES = 20

/** A question whose time is not over has moved on. */
function passedText({ effect }: Extract<Stamped, { type: 'tick' }>, { pending }: Run): string {
  const question = pending.find(({ id }) => id === effect)
  return question?.type === 'interrupt' && question.step
    ? `nobody answered, ${question.to} is asked`
    : 'deadline passed'
}

export function nodeOf(event: Stamped): string | undefined {
  return 'effect' in event ? event.effect.split('#')[0] : undefined
}

export function routeText({ verdict }: Pick<Row, 'verdict'>): string {
  if (verdict.kind === 'continue') return ''
  if (verdict.kind === 'warn') return 'only reported'
  const { route } = verdict
  return `${edgeText(route)}${route.by === undefined ? '' : `, by ${route.by}`}`
}

function edgeText(route: Route): string {
  if (route.rung === 'stop') return `stop (${route.reason})`
  if (route.rung === 'rollback') return `rollback to event ${route.to}`
  return route.rung !== 'review' && route.to !== undefined
    ? `${route.rung}: ${route.from} → ${route.to}`
    : route.rung
}

/** Of an agent in another framework that nobody has limited, what it may do in a round, if anything is said of that. */
function stepsText({ spent, before }: Account, { steps, round }: Limits): string {
  if (steps < Number.MAX_SAFE_INTEGER) return `steps ${spent.steps}/${steps}`
  return `steps ${spent.steps}${round?.steps === undefined ? '' : ` (${spent.steps - before.steps}/${round.steps} in this round)`}`
}

export function budgetText({ watch, policy }: Pick<Run, 'watch' | 'policy'>): string {
  const { spent } = watch.account
  const limited = (unit: 'toolCalls' | 'modelCalls' | 'tokens', text: string) =>
    spent[unit] > 0 || policy.limits[unit] !== undefined
      ? [
          `${text} ${spent[unit]}${policy.limits[unit] === undefined ? '' : `/${policy.limits[unit]}`}`,
        ]
      : []
  return [
    stepsText(watch.account, policy.limits),
    ...limited('toolCalls', 'calls'),
    ...limited('modelCalls', 'asked'),
    ...limited('tokens', 'tokens'),
    ...(spent.usd > 0
      ? [
          `$${spent.usd.toFixed(4)}${policy.limits.usd === undefined ? '' : `/${policy.limits.usd}`}`,
        ]
      : []),
  ].join(' · ')
}
