/** An open question with its evidence, and what may be answered, ready to be typed. */
import type { Option, Preview } from '../../../core/review/options.ts'
import type { Review } from '../../../core/review/review.ts'
import { explain, type Reason } from '../../../core/watch/reason/reason.ts'
import { countText, timeText } from './amounts.ts'
import { earlierText, lapsText } from './escapes.ts'
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
      ...effects.map(({ tool, args, kind, became }) => `${tool} ${args}: ${kind}, ${tell(became)}`),
    ]),
    ...section('answers', optionTexts(options)),
    ...texts('else', elseText(review, time)),
    ...texts('asked', chainText(review, time)),
  ]
}

function retryText({ dependency, calls, attempts }: Review['retries'][number]): string {
  return `retry of ${dependency}: ${countText(attempts, 'attempt')}, ${countText(calls, 'call')}`
}

/** As `escapement resume` takes them, and where they lead. */
function optionTexts(options: readonly Option[]): readonly (readonly Span[])[] {
  const typed = options.map(({ decision, rung, to }) => {
    const answer = rung === undefined ? `--decision ${decision}` : `--rung ${rung}`
    return to === undefined ? answer : `${answer} --to ${to}`
  })
  const width = Math.max(...typed.map(({ length }) => length))
  return options.map(({ leads }, index) => [
    styled((typed[index] ?? '').padEnd(width), 'cyan'),
    dim(` → ${prospectText(leads)}`),
  ])
}

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
