/** How an agent escaped: the steps of each escape of a journal (src/README.md), and an open question with its evidence and answers. */
import type { Option, Preview } from '../../../core/review/answers.ts'
import type { CallOutcome } from '../../../core/review/call-outcome.ts'
import { type Lap, type Laps, lapsOf } from '../../../core/review/laps.ts'
import type { Review } from '../../../core/review/review.ts'
import type { Row } from '../../../core/run/run.ts'
import type { EarlierFinding, Finding } from '../../../core/watch/event/event.ts'
import { explain } from '../../../core/watch/reason/reason.ts'
import { countText, spentText, timeText, bold, dim, draw, PIPE, styled } from './layout.ts'
import type { Blocks, Span } from './layout.ts'
import { lapText, nodeOf, routeText } from './line.ts'
import { section } from './report.ts'

export function escapesBlocks(rows: readonly Row[]): Blocks {
  return rows.flatMap((row, index) =>
    row.verdict.kind === 'escape'
      ? escapeBlocks(row, row.verdict, rows.slice(0, index + 1), rows.slice(index + 1))
      : [],
  )
}

function escapeBlocks(
  row: Row,
  { because, route, considered }: Extract<Row['verdict'], { kind: 'escape' }>,
  before: readonly Row[],
  after: readonly Row[],
): Blocks {
  const { event } = row
  const [finding, ...others] = because
  const subject = 'subject' in event ? ` of ${event.subject}` : ''
  const node = nodeOf(event)
  const noEdge = row.ended ? ENDED : (WITHOUT_EDGE[route.rung] ?? ENDED)
  return [
    '',
    styled(`escape at event ${row.seq}`, 'yellow', 'bold'),
    ...section('reported', [`${event.type}${subject}${node ? `, by ${node}` : ''}`]),
    ...section('time', [timeText(event.at)]),
    ...(finding ? findingSections(finding, others, before) : []),
    ...section('way out', [
      styled(routeText(row), 'cyan', 'bold'),
      ...considered.map(({ rung, reason }) => dim(`not ${rung}: ${explain(reason)}`)),
    ]),
    ...section('edge', [row.edges.join(', ') || `none: ${noEdge}`]),
    ...section('next', [nextText(after, row)]),
  ]
}

function findingSections(
  finding: Finding,
  others: readonly Finding[],
  before: readonly Row[],
): Blocks {
  const { kind, detector, reason, members, earlier = [] } = finding
  const also = others.length > 0 ? ` (also by ${others.map(each => each.detector).join(', ')})` : ''
  const laps = kind === 'loop' || kind === 'stall' ? lapsText(lapsOf(before, finding)) : []
  return [
    ...section('finding', [[bold(explain(reason)), dim(`  ${kind}, seen by ${detector}${also}`)]]),
    ...section('evidence', [
      `${lapText(finding)} of ${members.join(' → ')}${refusedText(before, finding)}`,
      ...earlier.map(earlierText),
    ]),
    ...section('laps', laps),
    ...section('cost', [spentText(finding.burned)]),
  ]
}

/** A refused call is a failure to the model, and not a call in what the loop cost. */
function refusedText(rows: readonly Row[], { members, onset, noticed }: Finding): string {
  const refused = rows.filter(
    ({ seq, event }) =>
      seq >= onset &&
      seq <= noticed &&
      event.type === 'circuit.refused' &&
      members.includes(event.subject),
  )
  return refused.length === 0 ? '' : `; an open breaker refused ${refused.length} of these calls`
}

export function lapsText({ shown, leftOut, differing }: Laps): readonly string[] {
  const count = shown.length + leftOut
  const places = differing.length === 1 ? 'one place' : `${differing.length} places`
  const sameness = differing.length === 0 ? ', exactly the same' : `, which differ in ${places}`
  const [first, ...latest] = shown.map(eventsText)
  return [
    `${count}${count < 2 ? '' : sameness}`,
    ...(first === undefined ? [] : [first]),
    ...(leftOut > 0 ? [`(${leftOut} laps like these)`] : []),
    ...latest,
    ...differing.map(({ path, values }) => `differs: ${path}: ${values.join(' | ')}`),
  ]
}

function eventsText({ events, leftOut }: Lap): string {
  const more = leftOut > 0 ? `; and ${leftOut} more` : ''
  return `${events.map(({ seq, text }) => `${seq}: ${text}`).join('; ')}${more}`
}

const ENDED = 'the thread was ended'

/** What a rung does that takes no edge. Except for rollback, this is an agent in another framework. */
const WITHOUT_EDGE: Readonly<Record<string, string>> = {
  rollback: 'the rollback left all nodes',
  rethink: 'the next model call carries the lesson',
  review: 'a person is asked before the next model call',
}

/** A thread of the same scope that met the loop before. */
export function earlierText({ thread, seq, at, used }: EarlierFinding): string {
  return `met by ${thread} at its event ${seq}, ${timeText(at)}, escaped by ${Object.keys(used).join(', ') || 'nothing'}`
}

function nextText(after: readonly Row[], { ended, edges, verdict }: Row): string {
  if (ended) return `the thread ended: ${ended.outcome} (${ended.reason})`
  // An agent in another framework continues with a model call.
  const isWrapped =
    edges.length === 0 && verdict.kind === 'escape' && verdict.route.rung !== 'rollback'
  const type = isWrapped ? 'model.called' : 'turn.started'
  const start = after.find(({ event }) => event.type === type)
  const late = after.filter(({ event }) => event.type === 'call.late' && !event.usage).length
  const next =
    start && 'effect' in start.event
      ? `${start.event.effect} performed from event ${start.seq}`
      : 'waiting'
  return `${next}${late > 0 ? `; ${late} late answer${late > 1 ? 's' : ''} of abandoned calls` : ''}`
}

/** The text of a question, for readers without a screen. `time` renders a time (ms), `render` a reason. */
export const reviewText = (review: Review, time = timeText, render = explain): string =>
  draw(reviewBlocks(review, time, render), PIPE).trimEnd()

export function reviewBlocks(review: Review, time = timeText, render = explain): Blocks {
  const { id, question, to, because, laps, lately, tried, retries, considered, call, judged } =
    review
  const channels = Object.entries(review.channels).map(([name, value]) => `${name}: ${value}`)
  const { effects, effectsLeftOut, options } = review
  const [finding] = because
  const reasons = because.map(
    ({ kind, detector, reason }) => `${kind} (${detector}): ${render(reason)}`,
  )
  const steps = tried.map(({ seq, route, because, next }) => {
    const why = because ? `: ${render(because)}` : ''
    const then =
      next && `; then at event ${next.seq}: ${next.again ? 'the same' : render(next.reason)}`
    return `${route} (event ${seq})${why}${then ?? ''}`
  })
  const attempts = retries.map(
    ({ dependency, calls, attempts }) =>
      `retry of ${dependency}: ${countText(attempts, 'attempt')}, ${countText(calls, 'call')}`,
  )
  const rejected = considered.map(({ rung, reason }) => `${rung}: ${render(reason)}`)
  const latest = lately.map(({ seq, text }) => `${seq}: ${text}`)
  const done = effects.map(
    ({ tool, args, kind, became }) => `${tool} ${args}: ${kind}, ${render(became)}`,
  )
  return [
    [styled('? ', 'cyan'), `${id}${to === undefined ? '' : ` asks ${to}`}: `, bold(question)],
    ...section('because', reasons),
    ...section('seen', finding ? [seenText(finding)] : []),
    ...section('before', (finding?.earlier ?? []).map(earlierText)),
    ...section('laps', laps ? lapsText(laps) : []),
    // Several laps show more than the latest events.
    ...section('lately', laps && laps.shown.length > 1 ? [] : latest),
    ...section('tried', [...steps, ...attempts]),
    ...section('not', rejected),
    ...section('channels', channels),
    ...section('call', call ? [`${calledText(call.tool, judged)} (${call.call})`] : []),
    ...section('effects', [
      ...(effectsLeftOut > 0 ? [`(${effectsLeftOut} before these)`] : []),
      ...done,
    ]),
    ...section('answers', optionTexts(options, { tool: call?.tool ?? '', time })),
    ...section('else', [elseText(review, time)]),
    ...section('asked', chainTexts(review, time)),
  ]
}

function seenText(finding: Finding): readonly Span[] {
  const place = `${lapText(finding)}, in ${finding.states.join(', ')}; cost `
  return [place, ...spentText(finding.burned)]
}

const RESULT_HINT = '; --output JSON gives the result of the call'

/** The options of `escapement resume`, and where they lead. */
function optionTexts(
  options: readonly Option[],
  { tool, time }: { readonly tool: string; readonly time: typeof timeText },
): readonly (readonly Span[])[] {
  const flags = options.map(({ decision, rung, to }) => {
    const answer = rung === undefined ? `--decision ${decision}` : `--rung ${rung}`
    return to === undefined ? answer : `${answer} --to ${to}`
  })
  const width = Math.max(...flags.map(({ length }) => length))
  return options.map(({ decision, leads }, index) => [
    styled((flags[index] ?? '').padEnd(width), 'cyan'),
    dim(
      ` → ${previewText(leads)}${becomesText(leads, tool, time)}${decision === 'applied' ? RESULT_HINT : ''}`,
    ),
  ])
}

const calledText = (tool: string, judged: Review['judged']): string =>
  judged?.arguments === undefined ? tool : `${tool} ${judged.arguments}`

const BECOMES: Readonly<Record<CallOutcome, string>> = {
  made: 'is made',
  again: 'is made again',
  succeeds: 'counts as made',
  fails: 'fails',
}

/** What becomes of the call of a question. */
function becomesText({ call, breakerUntil }: Preview, tool: string, time: typeof timeText): string {
  if (call === undefined) return ''
  const until =
    breakerUntil === undefined ? '' : `; its breaker is open until ${time(breakerUntil)}`
  return `; ${tool} ${BECOMES[call]}${until}`
}

function previewText({ in: states, next, ends }: Preview): string {
  if (ends) return `the end: ${ends.outcome} (${ends.reason})`
  return `${states.join(' + ')}${next.length > 0 ? `, then ${next.join(', ')}` : ''}`
}

function elseText({ deadline, otherwise }: Review, time: typeof timeText): string {
  if (deadline === undefined) return 'it waits for an answer'
  return `at ${time(deadline)} → ${otherwise ? previewText(otherwise) : 'nothing'}`
}

function chainTexts({ at, to, chain }: Review, time: typeof timeText): readonly string[] {
  const steps = chain.map(step => {
    const last = step.done && step.to === to ? ', who is asked now' : ''
    return `${step.done ? 'moved on' : 'moves on'} to ${step.to} at ${time(step.at)}${last}`
  })
  return [`at ${time(at)}`, ...steps]
}
