/** How an agent got out: for every escape of a journal, the eight stations of one step (architecture: src/README.md). */
import { explain } from '../../../core/watch/catalog.ts'
import type { Row } from '../../../core/run.ts'
import type { EarlierFinding, Finding } from '../../../core/watch/finding.ts'
import { nodeOf, routeText } from './line.ts'
import { plain } from './plain.ts'

export function escapesText(rows: readonly Row[]): string {
  return rows
    .flatMap((row, index) => (row.verdict.kind === 'escape' ? [escapeText(rows, index)] : []))
    .join('\n\n')
}

function escapeText(rows: readonly Row[], index: number): string {
  const row = rows[index] as Row
  const { event, verdict } = row
  if (verdict.kind !== 'escape') return ''
  const [finding] = verdict.because
  const others = verdict.because.slice(1).map(({ detector }) => detector)
  const lines: readonly (readonly [string, string])[] = [
    [
      'reported',
      `${event.type}${'subject' in event ? ` of ${event.subject}` : ''}${nodeOf(event) ? `, by ${nodeOf(event)}` : ''}`,
    ],
    ['stamped', `event ${row.seq}, at ${new Date(event.at).toISOString()}`],
    [
      'judged',
      finding
        ? `${finding.kind}, seen by ${finding.detector}${others.length > 0 ? ` (and by ${others.join(', ')})` : ''}: ${plain(explain(finding.reason))}`
        : '',
    ],
    ['evidence', finding ? evidenceText(finding) : ''],
    ['burned', finding ? burnedText(finding) : ''],
    [
      'chosen',
      `${routeText(row)}${verdict.considered.map(({ rung, reason }) => `; not ${rung}: ${explain(reason)}`).join('')}`,
    ],
    [
      'taken',
      row.edges.join(', ') ||
        `no edge: ${row.ended ? ENDED : (WITHOUT_EDGE[verdict.route.rung] ?? ENDED)}`,
    ],
    ['next', nextText(rows.slice(index + 1), row)],
  ]
  return [
    `escape at event ${row.seq}`,
    ...lines.map(([name, text], station) => `  ${station + 1} ${name.padEnd(9)} ${text}`),
  ].join('\n')
}

const ENDED = 'the thread was ended'

/** What becomes of a way out where no edge is taken. All but the way back is an agent's that lives in another framework. */
const WITHOUT_EDGE: Readonly<Record<string, string>> = {
  rollback: 'all work was left for the way back',
  rethink: 'the model is told so with its next call',
  review: 'a person is asked before the next call of the model',
}

function evidenceText({
  period,
  repeats,
  members,
  onset,
  noticed,
  events,
  earlier = [],
}: Finding): string {
  return `period ${period} × ${repeats} of ${members.join(' → ')}; began at ${onset}, noticed at ${noticed}; ${[`events ${events.join(', ')}`, ...earlier.map(earlierText)].join('; ')}`
}

/** A thread of the same scope that met it before. */
export function earlierText({ thread, seq, at, used }: EarlierFinding): string {
  return `met by ${thread} at its event ${seq}, ${new Date(at).toISOString()}, let out by ${Object.keys(used).join(', ') || 'nothing'}`
}

export function burnedText({ burned }: Pick<Finding, 'burned'>): string {
  return `${burned.steps} steps, ${burned.toolCalls} tool calls, ${burned.modelCalls} model calls, ${burned.tokens} tokens, $${burned.usd.toFixed(4)}, ${burned.duration} ms`
}

function nextText(after: readonly Row[], { ended, edges, verdict }: Row): string {
  if (ended) return `the thread ended: ${ended.outcome} (${ended.reason})`
  // An agent that lives in another framework goes on with a call of its model.
  const elsewhere =
    edges.length === 0 && verdict.kind === 'escape' && verdict.route.rung !== 'rollback'
  const started = after.find(
    ({ event }) => event.type === (elsewhere ? 'model.called' : 'turn.started'),
  )
  const late = after.filter(({ event }) => event.type === 'call.late').length
  const begun =
    started && 'effect' in started.event
      ? `${started.event.effect} was performed from event ${started.seq} on`
      : 'waiting'
  return `${begun}${late > 0 ? `; ${late} late answer${late > 1 ? 's' : ''} of what was left` : ''}`
}
