/** How an agent escaped: for each escape of a journal, the steps from the event to the next effect (src/README.md). */
import { type Lap, type Laps, lapsOf } from '../../../core/review/laps.ts'
import type { Row } from '../../../core/run.ts'
import type { EarlierFinding, Finding } from '../../../core/watch/event/finding.ts'
import { explain } from '../../../core/watch/reason/reason.ts'
import { timeText } from './amounts.ts'
import { type Blocks, bold, dim, styled } from './layout.ts'
import { costOf, lapText, nodeOf, routeText } from './line.ts'
import { linesSection, section } from './report.ts'

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
    ...linesSection('reported', [`${event.type}${subject}${node ? `, by ${node}` : ''}`]),
    ...linesSection('time', [timeText(event.at)]),
    ...(finding ? findingSections(finding, others, before) : []),
    ...section('way out', [
      [styled(routeText(row), 'cyan', 'bold')],
      ...considered.map(({ rung, reason }) => [dim(`not ${rung}: ${explain(reason)}`)]),
    ]),
    ...linesSection('edge', [row.edges.join(', ') || `none: ${noEdge}`]),
    ...linesSection('next', [nextText(after, row)]),
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
    ...linesSection('evidence', [
      `${lapText(finding)} of ${members.join(' → ')}`,
      ...earlier.map(earlierText),
    ]),
    ...linesSection('laps', laps),
    ...section('cost', [costOf(finding)]),
  ]
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
