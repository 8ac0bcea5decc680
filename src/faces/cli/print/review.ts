/** An open question with its evidence, and what may be answered, ready to be typed. */
import { explain } from '../../../core/watch/catalog.ts'
import type { Lap, Laps } from '../../../core/review/laps.ts'
import type { Option, Preview } from '../../../core/review/options.ts'
import type { Review } from '../../../core/review/review.ts'
import type { Reason } from '../../../core/watch/reason.ts'
import { burnedText, earlierText } from './escapes.ts'
import { plain } from './plain.ts'

/** `time` renders a time (ms), `tell` a reason. */
export function reviewText(
  review: Review,
  time: (at: number) => string = at => new Date(at).toISOString(),
  tell: (reason: Reason) => string = explain,
): string {
  const {
    id,
    question,
    to,
    because,
    laps,
    lately,
    tried,
    retries,
    considered,
    options,
    effects,
    effectsLeftOut,
    call,
  } = review
  const [finding] = because
  const lines: readonly (readonly [string, readonly string[]])[] = [
    [
      'because',
      because.map(({ kind, detector, reason }) => `${kind} (${detector}): ${plain(tell(reason))}`),
    ],
    [
      'seen',
      finding
        ? [
            `events ${finding.onset} to ${finding.noticed}, in ${finding.states.join(', ')}; burned ${burnedText(finding)}`,
          ]
        : [],
    ],
    ['before', (finding?.earlier ?? []).map(earlierText)],
    ['laps', laps ? lapsText(laps) : []],
    // Laps tell the same, and more.
    [
      'lately',
      laps && laps.shown.length > 1 ? [] : lately.map(({ seq, text }) => `${seq}: ${text}`),
    ],
    [
      'tried',
      [
        ...tried.map(
          ({ seq, route, because, next }) =>
            `${route} (event ${seq})${because ? `: ${tell(because)}` : ''}${next ? `; then at event ${next.seq}: ${next.again ? 'the same' : tell(next.reason)}` : ''}`,
        ),
        ...retries.map(retryText),
      ],
    ],
    ['not', considered.map(({ rung, reason }) => `${rung}: ${tell(reason)}`)],
    ['call', call ? [`${call.tool} (${call.call})`] : []],
    [
      'effects',
      [
        ...(effectsLeftOut > 0 ? [`(${effectsLeftOut} before these)`] : []),
        ...effects.map(
          ({ tool, args, kind, became }) => `${tool} ${args}: ${kind}, ${tell(became)}`,
        ),
      ],
    ],
    [
      'answers',
      options.map(option => `${answerText(option).padEnd(44)} → ${prospectText(option.leads)}`),
    ],
    ['else', elseText(review, time)],
    ['asked', chainText(review, time)],
  ]
  const body = lines.flatMap(([name, texts]) =>
    texts.map((text, index) => `  ${(index === 0 ? name : '').padEnd(9)} ${text}`),
  )
  return [`? ${id}${to === undefined ? '' : ` asks ${to}`}: ${question}`, ...body].join('\n')
}

function lapsText({ shown, leftOut, differing }: Laps): readonly string[] {
  const count = shown.length + leftOut
  const sameness =
    count < 2
      ? ''
      : differing.length === 0
        ? ', exactly the same'
        : `, which differ in ${differing.length === 1 ? 'one place' : `${differing.length} places`}`
  const [first, ...latest] = shown.map(lapText)
  const skipped = leftOut > 0 ? [`(${leftOut} laps like these)`] : []
  return [
    `${count}${sameness}`,
    ...(first === undefined ? [] : [first]),
    ...skipped,
    ...latest,
    ...differing.map(({ path, values }) => `differs: ${path}: ${values.join(' | ')}`),
  ]
}

function lapText({ events, leftOut }: Lap): string {
  return `${events.map(({ seq, text }) => `${seq}: ${text}`).join('; ')}${leftOut > 0 ? `; and ${leftOut} more` : ''}`
}

function retryText({ dependency, calls, attempts }: Review['retries'][number]): string {
  return `retry of ${dependency}: ${attempts} attempts in ${calls} calls`
}

/** As `escapement resume` takes it. */
function answerText({ decision, rung, to }: Option): string {
  return [
    rung === undefined ? `--decision ${decision}` : `--rung ${rung}`,
    ...(to === undefined ? [] : [`--to ${to}`]),
  ].join(' ')
}

function prospectText({ in: states, next, ends }: Preview): string {
  if (ends) return `the end: ${ends.outcome} (${ends.reason})`
  return `${states.join(' + ')}${next.length > 0 ? `, then ${next.join(', ')}` : ''}`
}

function elseText(
  { deadline, otherwise }: Review,
  time: (at: number) => string,
): readonly string[] {
  if (deadline === undefined) return ['it waits until somebody answers']
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
