/** The timeline of a thread: a line for each event that matters, and a block for each finding with its way out. */
import type { AgentMachine } from '../../../core/graph/agent-machine.ts'
import type { Row } from '../../../core/run.ts'
import { explain } from '../../../core/watch/reason/reason.ts'
import type { Item, Stamped } from '../../../core/watch/event/event.ts'
import { type Failure, failureMessage } from '../../../core/watch/failure/failure.ts'
import type { Finding } from '../../../core/watch/event/finding.ts'
import type { Spent } from '../../../core/watch/event/spent.ts'
import type { Json } from '../../../core/watch/data/json.ts'
import type { Route } from '../../../core/watch/escape/rungs.ts'
import type { Policy } from '../../../core/watch/policy/policy.ts'
import { countText, durationText, spentText } from './amounts.ts'
import { type Block, bold, dim, type Span, styled, plain } from './layout.ts'

export interface Place {
  readonly startedAt: number
  /** The column of node names. */
  readonly width?: number
  /** The child thread that the row belongs to, as seen from the thread that is shown. */
  readonly child?: string
}

/** The width of the longest name of a node. */
export function nodeWidth({ chart }: AgentMachine): number {
  return Math.max(
    0,
    ...chart.states.flatMap(({ id, effects }) =>
      effects.length > 0 ? [Math.min(id.length, 20)] : [],
    ),
  )
}

/** The lines of a row; none for rows that no reader of a terminal misses. */
export function lineOf(row: Row, { startedAt, width = 0, child = '' }: Place): readonly Block[] {
  const { event, verdict } = row
  const what = outcomeOf(row)
  if (what.length === 0 && verdict.kind === 'continue') return []
  const node = `${child}${nodeOf(event) ?? ''}`.padEnd(width)
  const elapsed = durationText(event.at - startedAt).padStart(7)
  const line = [dim(`${String(row.seq).padStart(5)} ${elapsed}  `), `${node}  `]
  return [[...line, ...(what.length > 0 ? what : [event.type])], ...findingBlocks(row)]
}

/** What was seen, what it cost, and the way out that was taken. */
function findingBlocks(row: Row): readonly Block[] {
  if (row.verdict.kind === 'continue') return []
  const [finding] = row.verdict.because
  if (!finding) return []
  const seen = [styled(`  ⟳ ${finding.kind}  `, 'yellow', 'bold'), bold(explain(finding.reason))]
  return [
    '',
    { wrap: seen, hang: 6 },
    { wrap: [dim(`      ${lapText(finding)}, cost `), ...costOf(finding)], hang: 6 },
    { wrap: [styled(`    → ${routeText(row)}`, 'cyan', 'bold'), dim(earlierIn(finding))], hang: 6 },
    '',
  ]
}

const earlierIn = ({ earlier }: Finding) =>
  earlier ? ` (met before by ${earlier.map(({ thread }) => thread).join(', ')})` : ''

/** `3 laps × period 1, events 14–32` */
export function lapText({ kind, period, repeats, onset, noticed }: Finding): string {
  const laps =
    kind === 'loop' || kind === 'stall' ? `${countText(repeats, 'lap')} × period ${period}, ` : ''
  return `${laps}${onset === noticed ? `event ${noticed}` : `events ${onset}–${noticed}`}`
}

export const costOf = ({ burned }: Pick<Finding, 'burned'>): readonly Span[] => spentText(burned)

/** An agent in another framework may have no limit of steps: then it is the largest number. */
export function limitsOf({ limits }: Policy): Partial<Spent> {
  const { steps, ...others } = limits
  return steps < Number.MAX_SAFE_INTEGER ? limits : others
}

function outcomeOf({ event, edges, verdict }: Row): readonly Span[] {
  const target = edges[0]?.split('>')[1]
  const leads = target === undefined ? [] : [` → ${target}`]
  switch (event.type) {
    case 'node.done':
      return [dim(`done${event.label ? `.${event.label}` : ''}`), ...leads]
    case 'node.failed':
      return [
        failed(`error.${event.failure.class}`),
        ...leads,
        dim(`  ${failureText(event.failure)}`),
      ]
    case 'model.done': {
      const calls = event.calls.map(({ tool, args }) => callText(tool, args)).join(', ')
      return [`${event.subject}: `, dim(excerpt(calls || event.text))]
    }
    case 'tool.done':
      return [`${event.subject} → `, dim(excerpt(jsonText(event.result)))]
    case 'tool.failed':
    case 'model.failed': {
      const what = event.final ? 'failed' : `failed, attempt ${event.attempt}`
      return [failed(`${event.subject} ${what}: `), failureText(event.failure)]
    }
    case 'reported':
      return [dim(excerpt(jsonText(event.note)))]
    case 'call.proposed':
      return [`asks to call ${excerpt(callText(event.subject, event.args))}`]
    case 'circuit.opened': {
      const next = `, next attempt in ${durationText(event.retryAt - event.at)}`
      return [styled(`breaker of ${event.subject} opened`, 'yellow'), dim(next)]
    }
    case 'circuit.closed':
      return [styled(`breaker of ${event.subject} closed`, 'green')]
    case 'circuit.refused':
      return [failed(`${event.subject} refused: `), 'breaker open']
    case 'turn.started':
      // A start that takes an edge is one too many: the process died at each before.
      return target && verdict.kind === 'continue' ? [failed('crash-loop'), ...leads] : []
    default:
      return [otherText(event)].filter(text => text !== undefined)
  }
}

const failed = (text: string): Span => styled(`✗ ${text}`, 'red')

function otherText(event: Stamped): string | undefined {
  switch (event.type) {
    case 'call.substituted':
      return `${event.subject} is unavailable: ${event.by} answers`
    case 'rollback.done':
      return 'rolled back to the savepoint'
    case 'rollback.failed':
      return 'rollback failed'
    case 'resume':
      return `answered: ${event.rung ?? event.decision}`
    case 'tick':
      return 'deadline passed'
    case 'policy.changed':
      return `policy changed${event.change === undefined ? '' : `: ${excerpt(jsonText(event.change))}`}`
    case 'notified':
      return event.ok ? `${event.notifier} notified` : `${event.notifier} failed: ${event.detail}`
    case 'forked':
      return `fork of ${event.parent.thread}, effects ${event.effects}`
    case 'message':
      return 'message'
    case 'round.started':
      return 'next round'
    case 'scope.noted':
      return event.held && `held: thread ${event.held.thread} waits for an answer`
    case 'cancel':
      return 'cancelled'
    case 'call.late':
      return `late answer of ${event.subject}`
    default:
      return childText(event)
  }
}

function childText(event: Stamped): string | undefined {
  switch (event.type) {
    case 'child.started':
      return event.item ? undefined : `${event.subject} started as ${event.thread}`
    case 'child.done': {
      const { subject, outcome, reason, item } = event
      if (item && !isPrinted(item) && outcome === 'success') return undefined
      const of = item ? ` ${item.index + 1}/${item.of}` : ''
      return `${subject}${of} ${outcome === 'success' ? 'done' : `${outcome}: ${reason}`}`
    }
    case 'child.refused':
      return `${event.subject} not started: ${failureMessage(event.failure)}`
    case 'child.waiting':
      return `waits for answers to ${event.children.map(({ thread }) => thread).join(', ')}`
    case 'child.ended':
      return `${event.thread} ended`
    default:
      return undefined
  }
}

function failureText(failure: Failure): string {
  const { status, code, name } = failure
  return [status ?? code, excerpt(failureMessage(failure)) || name]
    .filter(part => part !== undefined)
    .join(' ')
}

/** JSON as people write it, with spaces. */
export function jsonText(value: Json): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(jsonText).join(', ')}]`
  const members = Object.entries(value).map(
    ([key, of]) => `${JSON.stringify(key)}: ${jsonText(of)}`,
  )
  return `{${members.join(', ')}}`
}

export const callText = (tool: string, args: Json) => `${tool} ${jsonText(args)}`

/** Characters of an answer or a message in a line. */
const EXCERPT = 100

function excerpt(text: string): string {
  const line = plain(text.slice(0, 2 * EXCERPT))
  return line.length > EXCERPT ? `${line.slice(0, EXCERPT)}…` : line
}

/** Of a million items a few are printed. */
function isPrinted({ index, of }: Item): boolean {
  return (index + 1) % Math.ceil(of / LINES) === 0
}

/** Lines that a map prints of its items, those that fail not counted. */
const LINES = 20

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
