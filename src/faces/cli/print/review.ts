/** An open question with its evidence, and what may be answered, ready to be typed. */
import type { Lap, Laps } from '../../../core/review/laps.ts'
import type { Option, Preview } from '../../../core/review/options.ts'
import type { Review } from '../../../core/review/review.ts'
import { explain } from '../../../core/watch/catalog.ts'
import type { Reason } from '../../../core/watch/reason.ts'
import { countText, timeText } from './amounts.ts'
import { earlierText } from './escapes.ts'
import { type Block, bold, dim, draw, PIPE, type Span, styled } from './layout.ts'
import { costOf, lapText } from './line.ts'
import { section } from './report.ts'

/** The text of a question, for readers without a screen. `time` renders a time (ms), `tell` a reason. */
export function reviewText(
  review: Review,
  time: (at: number) => string = timeText,
  tell: (reason: Reason) => string = explain,
): string {
  return draw(reviewBlocks(review, time, tell), PIPE).trimEnd()
}

export function reviewBlocks(
  review: Review,
  time: (at: number) => string = timeText,
  tell: (reason: Reason) => string = explain,
): readonly Block[] {
  const { id, question, to, because, laps, lately, tried, retries, considered, call } = review
  const { effects, effectsLeftOut, options } = review
  const [finding] = because
  const texts = (label: string, lines: readonly string[]) =>
    section(
      label,
      lines.map(line => [line]),
    )
  return [
    [styled('? ', 'cyan'), `${id}${to === undefined ? '' : ` asks ${to}`}: `, bold(question)],
    ...texts(
      'because',
      because.map(({ kind, detector, reason }) => `${kind} (${detector}): ${tell(reason)}`),
    ),
    ...(finding
      ? section('seen', [
          [`${lapText(finding)}, in ${finding.states.join(', ')}; cost `, ...costOf(finding)],
        ])
      : []),
    ...texts('before', (finding?.earlier ?? []).map(earlierText)),
    ...texts('laps', laps ? lapsText(laps) : []),
    // Laps show the same, and more.
    ...(laps && laps.shown.length > 1
      ? []
      : texts(
          'lately',
          lately.map(({ seq, text }) => `${seq}: ${text}`),
        )),
    ...texts('tried', [
      ...tried.map(
        ({ seq, route, because, next }) =>
          `${route} (event ${seq})${because ? `: ${tell(because)}` : ''}${next ? `; then at event ${next.seq}: ${next.again ? 'the same' : tell(next.reason)}` : ''}`,
      ),
      ...retries.map(retryText),
    ]),
    ...texts(
      'not',
      considered.map(({ rung, reason }) => `${rung}: ${tell(reason)}`),
    ),
    ...texts('call', call ? [`${call.tool} (${call.call})`] : []),
    ...texts('effects', [
      ...(effectsLeftOut > 0 ? [`(${effectsLeftOut} before these)`] : []),
      ...effects.map(({ tool, args, kind, became }) => `${tool} ${args}: ${kind}, ${became}`),
    ]),
    ...section('answers', options.map(optionText)),
    ...texts('else', elseText(review, time)),
    ...texts('asked', chainText(review, time)),
  ]
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

function retryText({ dependency, calls, attempts }: Review['retries'][number]): string {
  return `retry of ${dependency}: ${countText(attempts, 'attempt')}, ${countText(calls, 'call')}`
}

/** As `escapement resume` takes it, and where it leads. */
function optionText({ decision, rung, to, leads }: Option): readonly Span[] {
  const answer = rung === undefined ? `--decision ${decision}` : `--rung ${rung}`
  const typed = to === undefined ? answer : `${answer} --to ${to}`
  return [styled(typed.padEnd(OPTION), 'cyan'), dim(` → ${prospectText(leads)}`)]
}

const OPTION = 28

function prospectText({ in: states, next, ends }: Preview): string {
  if (ends) return `the end: ${ends.outcome} (${ends.reason})`
  return `${states.join(' + ')}${next.length > 0 ? `, then ${next.join(', ')}` : ''}`
}

function elseText(
  { deadline, otherwise }: Review,
  time: (at: number) => string,
): readonly string[] {
  if (deadline === undefined) return ['it waits for an answer']
  return [`at ${time(deadline)} → ${otherwise ? prospectText(otherwise) : 'nothing'}`]
}

function chainText({ at, to, chain }: Review, time: (at: number) => string): readonly string[] {
  if (chain.length === 0) return [`at ${time(at)}`]
  return [
    `at ${time(at)}`,
    ...chain.map(
      step =>
        `${step.done ? 'moved on' : 'moves on'} to ${step.to} at ${time(step.at)}${step.done && step.to === to ? ', who is asked now' : ''}`,
    ),
  ]
}
