/** An open question with its evidence, and the possible answers, ready to be typed. */
import type { Option, Preview } from '../../../core/review/answers.ts'
import type { Review } from '../../../core/review/review.ts'
import { explain } from '../../../core/watch/reason/reason.ts'
import { countText, timeText } from './amounts.ts'
import { earlierText, lapsText } from './escapes.ts'
import { type Blocks, bold, dim, draw, PIPE, type Span, styled } from './layout.ts'
import { costOf, lapText } from './line.ts'
import { linesSection, section } from './report.ts'

/** The text of a question, for readers without a screen. `time` renders a time (ms), `render` a reason. */
export function reviewText(review: Review, time = timeText, render = explain): string {
  return draw(reviewBlocks(review, time, render), PIPE).trimEnd()
}

export function reviewBlocks(review: Review, time = timeText, render = explain): Blocks {
  const { id, question, to, because, laps, lately, tried, retries, considered, call } = review
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
  const done = effects.map(
    ({ tool, args, kind, became }) => `${tool} ${args}: ${kind}, ${render(became)}`,
  )
  return [
    [styled('? ', 'cyan'), `${id}${to === undefined ? '' : ` asks ${to}`}: `, bold(question)],
    ...linesSection('because', reasons),
    ...(finding
      ? section('seen', [
          [`${lapText(finding)}, in ${finding.states.join(', ')}; cost `, ...costOf(finding)],
        ])
      : []),
    ...linesSection('before', (finding?.earlier ?? []).map(earlierText)),
    ...linesSection('laps', laps ? lapsText(laps) : []),
    // Several laps show more than the latest events.
    ...linesSection(
      'lately',
      laps && laps.shown.length > 1 ? [] : lately.map(({ seq, text }) => `${seq}: ${text}`),
    ),
    ...linesSection('tried', [...steps, ...attempts]),
    ...linesSection(
      'not',
      considered.map(({ rung, reason }) => `${rung}: ${render(reason)}`),
    ),
    ...linesSection('call', call ? [`${call.tool} (${call.call})`] : []),
    ...linesSection('effects', [
      ...(effectsLeftOut > 0 ? [`(${effectsLeftOut} before these)`] : []),
      ...done,
    ]),
    ...section('answers', optionTexts(options)),
    ...linesSection('else', [elseText(review, time)]),
    ...linesSection('asked', chainTexts(review, time)),
  ]
}

/** The options of `escapement resume`, and where they lead. */
function optionTexts(options: readonly Option[]): readonly (readonly Span[])[] {
  const flags = options.map(({ decision, rung, to }) => {
    const answer = rung === undefined ? `--decision ${decision}` : `--rung ${rung}`
    return to === undefined ? answer : `${answer} --to ${to}`
  })
  const width = Math.max(...flags.map(({ length }) => length))
  return options.map(({ leads }, index) => [
    styled((flags[index] ?? '').padEnd(width), 'cyan'),
    dim(` → ${previewText(leads)}`),
  ])
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
