/** How an agent got out: for every escape of a journal, the eight stations of one step (architecture: src/README.md). */
import type { Row } from '../../../core/run.ts'
import { type Lap, type Laps, lapsOf } from '../../../core/review/laps.ts'
import { explain } from '../../../core/watch/reason/reason.ts'
import type { EarlierFinding, Finding } from '../../../core/watch/event/finding.ts'
import { timeText } from './amounts.ts'
import { type Block, bold, dim, styled } from './layout.ts'
import { costOf, lapText, nodeOf, routeText } from './line.ts'
import { section } from './report.ts'

export function escapesBlocks(rows: readonly Row[]): readonly Block[] {
  return rows.flatMap((row, index) =>
    row.verdict.kind === 'escape'
      ? escapeBlocks(row, row.verdict, [rows.slice(0, index + 1), rows.slice(index + 1)])
      : [],
  )
}

function escapeBlocks(
  row: Row,
  verdict: Extract<Row['verdict'], { kind: 'escape' }>,
  [before, after]: readonly [before: readonly Row[], after: readonly Row[]],
): readonly Block[] {
  const { event } = row
  const [finding] = verdict.because
  const others = verdict.because.slice(1).map(({ detector }) => detector)
  const also = others.length > 0 ? ` (also by ${others.join(', ')})` : ''
  const subject = 'subject' in event ? ` of ${event.subject}` : ''
  const node = nodeOf(event)
  const taken = row.edges.join(', ')
  const edge = row.ended ? ENDED : (WITHOUT_EDGE[verdict.route.rung] ?? ENDED)
  return [
    '',
    styled(`escape at event ${row.seq}`, 'yellow', 'bold'),
    ...section('reported', [[`${event.type}${subject}${node ? `, by ${node}` : ''}`]]),
    ...section('time', [[timeText(event.at)]]),
    ...(finding
      ? [
          ...section('finding', [
            [
              bold(explain(finding.reason)),
              dim(`  ${finding.kind}, seen by ${finding.detector}${also}`),
            ],
          ]),
          ...section('evidence', [
            [`${lapText(finding)} of ${finding.members.join(' → ')}`],
            ...(finding.earlier ?? []).map(earlier => [earlierText(earlier)]),
          ]),
          ...section(
            'laps',
            lapsIn(before, finding).map(line => [line]),
          ),
          ...section('cost', [costOf(finding)]),
        ]
      : []),
    ...section('way out', [
      [styled(routeText(row), 'cyan', 'bold')],
      ...verdict.considered.map(({ rung, reason }) => [dim(`not ${rung}: ${explain(reason)}`)]),
    ]),
    ...section('edge', [[taken || `none: ${edge}`]]),
    ...section('next', [[nextText(after, row)]]),
  ]
}

/** The events of the laps of a loop. */
function lapsIn(before: readonly Row[], finding: Finding): readonly string[] {
  return finding.kind === 'loop' || finding.kind === 'stall'
    ? lapsText(lapsOf(before, finding))
    : []
}

export function lapsText({ shown, leftOut, differing }: Laps): readonly string[] {
  const count = shown.length + leftOut
  const sameness =
    count < 2
      ? ''
      : differing.length === 0
        ? ', exactly the same'
        : `, which differ in ${differing.length === 1 ? 'one place' : `${differing.length} places`}`
  const [first, ...latest] = shown.map(eventsText)
  const skipped = leftOut > 0 ? [`(${leftOut} laps like these)`] : []
  return [
    `${count}${sameness}`,
    ...(first === undefined ? [] : [first]),
    ...skipped,
    ...latest,
    ...differing.map(({ path, values }) => `differs: ${path}: ${values.join(' | ')}`),
  ]
}

function eventsText({ events, leftOut }: Lap): string {
  return `${events.map(({ seq, text }) => `${seq}: ${text}`).join('; ')}${leftOut > 0 ? `; and ${leftOut} more` : ''}`
}

const ENDED = 'the thread was ended'

/** What a way out does where it takes no edge. All but rollback belongs to an agent in another framework. */
const WITHOUT_EDGE: Readonly<Record<string, string>> = {
  rollback: 'all nodes were left for the rollback',
  rethink: 'the next call of the model carries the lesson',
  review: 'a person is asked before the next call of the model',
}

/** A thread of the same scope that met it before. */
export function earlierText({ thread, seq, at, used }: EarlierFinding): string {
  return `met by ${thread} at its event ${seq}, ${timeText(at)}, escaped by ${Object.keys(used).join(', ') || 'nothing'}`
}

function nextText(after: readonly Row[], { ended, edges, verdict }: Row): string {
  if (ended) return `the thread ended: ${ended.outcome} (${ended.reason})`
  // An agent in another framework continues with a call of its model.
  const elsewhere =
    edges.length === 0 && verdict.kind === 'escape' && verdict.route.rung !== 'rollback'
  const started = after.find(
    ({ event }) => event.type === (elsewhere ? 'model.called' : 'turn.started'),
  )
  const late = after.filter(({ event }) => event.type === 'call.late').length
  const begun =
    started && 'effect' in started.event
      ? `${started.event.effect} performed from event ${started.seq}`
      : 'waiting'
  return `${begun}${late > 0 ? `; ${late} late answer${late > 1 ? 's' : ''} of abandoned calls` : ''}`
}
