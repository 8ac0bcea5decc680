/** The timeline of a thread: a line for each event that matters, and a block for each finding with its escape. */
import type { AgentMachine } from '../../../core/graph/agent-machine.ts'
import type { Row } from '../../../core/run/run.ts'
import type { Json } from '../../../core/watch/data/json.ts'
import type { Route } from '../../../core/watch/escape/rungs.ts'
import type { EventOf, Item, Stamped, Finding } from '../../../core/watch/event/event.ts'
import type { Spent } from '../../../core/watch/event/call-event.ts'
import { type Failure, failureMessage } from '../../../core/watch/failure/failure.ts'
import type { Policy } from '../../../core/watch/policy/policy.ts'
import { explain, type Reason } from '../../../core/watch/reason/reason.ts'
import { durationText } from '../../../core/watch/data/duration.ts'
import { countText, spentText, bold, dim, plain, styled } from './layout.ts'
import type { Blocks, Span, Text } from './layout.ts'

export interface Place {
  readonly startedAt: number
  /** The width of the column of node names. */
  readonly width?: number
  /** The child thread of the row, relative to the thread that is shown. */
  readonly child?: string
}

/** The width of the longest node name. */
export function nodeWidth({ chart }: AgentMachine): number {
  const nodes = chart.states.filter(({ effects }) => effects.length > 0)
  return Math.max(0, ...nodes.map(({ id }) => Math.min(id.length, 20)))
}

/** The lines of a row. Empty for rows that a reader does not need. */
export function lineOf(row: Row, { startedAt, width = 0, child = '' }: Place): Blocks {
  const { event, verdict } = row
  const spans = eventSpans(row)
  if (spans.length === 0 && verdict.kind === 'continue') return []
  const node = `${child}${nodeOf(event) ?? ''}`.padEnd(width)
  const elapsed = durationText(event.at - startedAt).padStart(7)
  const start = [dim(`${String(row.seq).padStart(5)} ${elapsed}  `), `${node}  `]
  return [[...start, ...(spans.length > 0 ? spans : [event.type])], ...findingBlocks(row)]
}

/** The finding, its cost, and the escape. */
function findingBlocks(row: Row): Blocks {
  if (row.verdict.kind === 'continue') return []
  const [finding] = row.verdict.because
  if (!finding) return []
  const seen = [styled(`  ⟳ ${finding.kind}  `, 'yellow', 'bold'), bold(explain(finding.reason))]
  const escape = [
    styled(`    → ${routeText(row)}`, 'cyan', 'bold'),
    dim(`${metText(finding)}${row.event.unattended ? ' (no follower)' : ''}`),
  ]
  return [
    '',
    { wrap: seen, hang: 6 },
    { wrap: [dim(`      ${lapText(finding)}, cost `), ...spentText(finding.burned)], hang: 6 },
    { wrap: escape, hang: 6 },
    '',
  ]
}

/** The threads of the same scope that met the loop before. */
export const metText = ({ earlier }: Pick<Finding, 'earlier'>) =>
  earlier ? ` (met before by ${earlier.map(({ thread }) => thread).join(', ')})` : ''

/** `3 laps × period 1, events 14–32` */
export function lapText({ kind, period, repeats, onset, noticed }: Finding): string {
  const laps =
    kind === 'loop' || kind === 'stall' ? `${countText(repeats, 'lap')} × period ${period}, ` : ''
  return `${laps}${onset === noticed ? `event ${noticed}` : `events ${onset}–${noticed}`}`
}

/** The limits, without a step limit that stands for none, as in another framework. */
export function limitsOf({ limits }: Policy): Partial<Spent> {
  const { steps, ...others } = limits
  return steps < Number.MAX_SAFE_INTEGER ? limits : others
}

/** The edge that the row takes follows the text, for events of nodes. */
function eventSpans(row: Row): readonly Span[] {
  const target = row.edges[0]?.split('>')[1]
  const textOf = TEXTS[row.event.type] as EventText<Stamped> | undefined
  const text = textOf?.(row.event, target === undefined ? '' : ` → ${target}`, row.verdict)
  return text === undefined ? [] : [text].flat()
}

const failed = (text: string): Span => styled(`✗ ${text}`, 'red')

type EventText<E> = (event: E, next: string, verdict: Row['verdict']) => Text | undefined

const callFailed: EventText<EventOf<'tool.failed' | 'model.failed'>> = event => {
  const attempt = event.final ? 'failed' : `failed, attempt ${event.attempt}`
  return [failed(`${event.subject} ${attempt}: `), failureText(event.failure)]
}

const TEXTS: { readonly [T in Stamped['type']]?: EventText<Extract<Stamped, { type: T }>> } = {
  'node.done': ({ label }, next) => [dim(`done${label ? `.${label}` : ''}`), next],
  'node.failed': ({ failure }, next) => [
    failed(`error.${failure.class}`),
    next,
    dim(`  ${failureText(failure)}`),
  ],
  'model.done': ({ subject, calls, text, injected }) => {
    const called = calls.map(({ tool, args }) => callText(tool, args)).join(', ')
    return [`${subject}${byPerson(injected)}: `, dim(excerpt(called || text))]
  },
  'tool.done': ({ subject, result, injected }) => [
    `${subject}${byPerson(injected)} → `,
    dim(excerpt(jsonText(result))),
  ],
  'tool.failed': callFailed,
  'model.failed': callFailed,
  reported: ({ note }) => dim(excerpt(jsonText(note))),
  'circuit.opened': ({ subject, retryAt, at }) => [
    styled(`breaker of ${subject} opened`, 'yellow'),
    dim(`, next attempt in ${durationText(retryAt - at)}`),
  ],
  'circuit.closed': ({ subject }) => styled(`breaker of ${subject} closed`, 'green'),
  'circuit.refused': ({ subject }) => [failed(`${subject} refused: `), 'breaker open'],
  // A start that takes an edge is one too many: the process died at each earlier start.
  'turn.started': (_, next, { kind }) =>
    next !== '' && kind === 'continue' ? [failed('crash-loop'), next] : undefined,
  'turn.left': () => 'left in order; the next process continues',
  'node.expired': () => 'deadline passed; its children end first',
  'call.proposed': ({ subject, args }) => `asks to call ${excerpt(callText(subject, args))}`,
  'call.waiting': ({ subject, since, until, at }) =>
    since === undefined
      ? undefined
      : `${subject} waits for its breaker, at most ${durationText(until - at)}`,
  'call.substituted': ({ subject, by }) => `${subject} is unavailable: ${by} answers`,
  'call.late': ({ subject, usage }) =>
    usage ? `${subject} was abandoned` : `late answer of ${subject}`,
  'call.reconciled': ({ because }) => because && failed(plain(explain(because))),
  'rollback.done': () => 'rolled back to the savepoint',
  'rollback.failed': () => 'rollback failed',
  resume: ({ rung, decision, by, output, note }) => {
    const details = [output === undefined ? [] : jsonText(output), note ?? []].flat().map(excerpt)
    const person = by === undefined ? '' : ` by ${excerpt(by)}`
    return [`answered: ${rung ?? decision}${person}`, dim(`  ${details.join('  ')}`.trimEnd())]
  },
  tick: () => 'deadline passed',
  cancel: () => 'cancelled',
  pause: ({ before, met, reason }) => {
    if (before !== undefined) return `breakpoint: paused before ${before}`
    if (met) return `breakpoint: paused, event ${met.seq} met ${excerpt(met.when)}`
    return `paused${reason === undefined ? '' : `: ${excerpt(reason)}`}`
  },
  continue: () => 'continued',
  step: () => 'single step',
  escape: ({ rung, to }) => `escape by a person: ${rung}${to === undefined ? '' : ` to ${to}`}`,
  stop: ({ reason }) => `stopped: ${excerpt(reason)}`,
  dismiss: ({ finding }) => `dismissed: ${excerpt(finding.id)}`,
  inject: ({ name, times, message, result }) => [
    styled(`${result === undefined ? 'fault' : 'answer'} injected into ${name}`, 'yellow'),
    dim(` ×${times}  ${excerpt(message ?? jsonText(result ?? null))}`),
  ],
  message: () => 'message',
  'round.started': () => 'next round',
  'policy.changed': ({ change }) =>
    `policy changed${change === undefined ? '' : `: ${excerpt(jsonText(change))}`}`,
  notified: ({ ok, notifier, detail }) => `${notifier} ${ok ? 'notified' : `failed: ${detail}`}`,
  migrated: ({ node, left, specHash }) =>
    `migrated to ${node} of version ${specHash}, from ${left.at(-1)?.specHash}`,
  forked: ({ parent, effects }) => `fork of ${parent.thread}, effects ${effects}`,
  'scope.noted': ({ held }) => held && `held: thread ${held.thread} waits for an answer`,
  'child.started': ({ item, subject, thread }) =>
    item ? undefined : `${subject} started as ${thread}`,
  'child.done': ({ subject, outcome, reason, because, item }) => {
    if (item && !isPrinted(item) && outcome === 'success') return undefined
    const place = item ? ` ${item.index + 1}/${item.of}` : ''
    return `${subject}${place} ${outcome === 'success' ? 'done' : `${outcome}: ${excerpt(endText(reason, because))}`}`
  },
  'child.refused': ({ subject, failure }) => `${subject} not started: ${failureMessage(failure)}`,
  'child.waiting': ({ children }) => `waits for ${children.map(({ thread }) => thread).join(', ')}`,
  'child.ended': ({ thread }) => `${thread} ended`,
  'tool.called': ({ subject, waitsFor }) =>
    waitsFor === undefined ? undefined : `${subject} waits for thread ${waitsFor}`,
  'deadlock.found': ({ threads, escapes }) =>
    escapes ? 'deadlock' : `deadlock: thread ${threads[0]} escapes`,
}

/** The short reason of an end. A failure state says nothing by itself: what led to it does. */
export const endText = (reason: string, because: Reason | null | undefined): string =>
  because?.code === 'ended-in-failure' && because.cause ? explain(because.cause) : reason

const byPerson = (injected: true | undefined): string => (injected ? ' (by a person)' : '')

function failureText(failure: Failure): string {
  const { status, code, name } = failure
  return [status ?? code, excerpt(failureMessage(failure)) || name]
    .filter(part => part !== undefined)
    .join(' ')
}

/** JSON with spaces. */
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

export function excerpt(text: string): string {
  const line = plain(text.slice(0, 2 * EXCERPT))
  return line.length > EXCERPT ? `${line.slice(0, EXCERPT)}…` : line
}

/** Lines that a map prints for its items, except for items that fail. */
const ITEM_LINES = 20

const isPrinted = ({ index, of }: Item) => (index + 1) % Math.ceil(of / ITEM_LINES) === 0

export const nodeOf = (event: Stamped): string | undefined =>
  'effect' in event ? event.effect.split('#')[0] : undefined

export function routeText({ verdict }: Pick<Row, 'verdict'>): string {
  if (verdict.kind === 'continue') return ''
  if (verdict.kind === 'warn') return 'only reported'
  const { route } = verdict
  return `${edgeText(route)}${route.by === undefined ? '' : `, by ${route.by}`}`
}

function edgeText(route: Route): string {
  if (route.rung === 'stop') return `stop (${route.reason})`
  if (route.rung === 'rollback') return `rollback to event ${route.to}`
  if (route.rung === 'review' || route.to === undefined) return route.rung
  return `${route.rung}: ${route.from} → ${route.to}`
}
