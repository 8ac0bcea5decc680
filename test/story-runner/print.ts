/** Prints the results of events in stories: one readable form for core and runtime. */
import type { Effect } from '../../src/core/run/effects.ts'
import type { Ending, AdvanceResult, Run } from '../../src/core/run/run.ts'
import type { Failure } from '../../src/core/watch/failure/failure.ts'
import type { Finding } from '../../src/core/watch/event/event.ts'
import type { Json } from '../../src/core/watch/data/json.ts'
import type { Reason } from '../../src/core/watch/reason/reason.ts'
import type { Verdict } from '../../src/core/watch/escape/ladder.ts'
import { type Spent, SPENDABLE } from '../../src/core/watch/event/call-event.ts'

/** The state, pending effects and spending of the run. */
export function standing(run: Run): readonly string[] {
  const lessons = run.lessons.map(lesson => `lesson   ${codeText(lesson)}`)
  const where = run.ended
    ? `ended    ${run.ended.outcome}: ${endText(run.ended)}`
    : `in       ${placeOf(run.snapshot.value)}`
  return [
    ...(run.round > 1 ? [`round    ${run.round}`] : []),
    where,
    ...run.queue.map(
      ({ input, from }) =>
        `waits    ${JSON.stringify(input)}${from === 'opening' ? ', and takes back the round before' : ''}`,
    ),
    ...(run.pending.length > 0
      ? [`pending  ${run.pending.map(effect => promised(effect, run.startedAt)).join(', ')}`]
      : []),
    `spent    ${bill(run.watch.account.spent) || 'nothing'}`,
    ...lessons,
    ...Object.entries(run.watch.detectorErrors ?? {}).map(
      ([name, { since, times, why }]) =>
        `broken   ${name} since ${since}, ${times} times: ${oneLine(why)}`,
    ),
  ]
}

/** The results of an event beyond its edges, or an empty list. */
export function noted({ findings, verdict, ignored, ended }: AdvanceResult): readonly string[] {
  return [
    ...(ignored ? ['ignored'] : []),
    ...findings.flatMap(found),
    ...(verdict.kind === 'escape' ? [escaped(verdict)] : verdict.kind === 'warn' ? ['warned'] : []),
    ...(ended
      ? [`ended    ${ended.outcome}: ${endText(ended)}, result ${JSON.stringify(ended.result)}`]
      : []),
  ]
}

function found({
  kind,
  detector,
  reason,
  period,
  repeats,
  events,
  onset,
  states,
  burned,
  earlier = [],
}: Finding): readonly string[] {
  const spent = bill(burned)
  return [
    `found    ${kind} (${detector}): ${codeText(reason)}`,
    `         period ${period}, ${repeats} times, since ${onset}, seen at ${events.join(' ')}, in ${states.map(short).join(' ')}${spent ? `, burned ${spent}` : ''}`,
    ...earlier.map(
      ({ thread, seq, used }) =>
        `         met before by ${thread} at ${seq}, escaped by ${Object.keys(used).join(', ') || 'nothing'}`,
    ),
  ]
}

function escaped({ route }: Verdict & { kind: 'escape' }): string {
  const region = route.region === '' ? '' : ` of ${short(route.region)}`
  const way =
    route.rung === 'stop'
      ? `stop (${route.reason})`
      : route.rung === 'review'
        ? `review${region} in ${short(route.from)}`
        : route.rung === 'rollback'
          ? `rollback from ${short(route.from)} to event ${route.to}`
          : `${route.rung}${region} ${short(route.from)} → ${route.to ?? '(as its machine says)'}`
  const by = route.by === undefined ? '' : ` by ${route.by}`
  return `escape   ${way}${by}`
}

function endText({ outcome, reason, because }: Ending): string {
  const plain =
    outcome === 'success' || outcome === 'cancelled' || because.code === 'ended-in-failure'
  return `${oneLine(reason)}${plain ? '' : ` because ${codeText(because)}`}`
}

/** A question of a node as it is written, else its code. */
export function questionText(question: Reason): string {
  return question.code === 'custom' ? question.params.text : codeText(question)
}

/** A code with its params, and what caused it. */
export function codeText({ code, params = {}, cause }: Reason): string {
  const texts = Object.entries(params).map(
    ([name, value]) =>
      ` ${name}=${typeof value === 'string' && /^[\w./#-]+$/.test(value) ? value : JSON.stringify(value)}`,
  )
  return `${code}${texts.join('')}${cause ? ` ← ${codeText(cause)}` : ''}`
}

function oneLine(text: string): string {
  return text.replaceAll('\n', ' ')
}

/** `working.act`, and `a.x + b.y` for parallel regions. The superstate of compiled graphs goes without saying. */
export function placeOf(value: Json): string {
  if (typeof value === 'string') return value
  if (value === null || typeof value !== 'object') return '(nowhere)'
  const places = Object.entries(value).map(([state, inner]) =>
    Object.keys(inner as object).length === 0 && typeof inner === 'object'
      ? state
      : `${state}.${placeOf(inner as Json)}`,
  )
  return places.join(' + ').replace(/^working\./, '')
}

function promised(effect: Effect, start: number): string {
  const until =
    'deadline' in effect && effect.deadline !== undefined
      ? ` until ${clock(effect.deadline - start)}`
      : ''
  if (effect.type === 'wait') return `${short(effect.id)} waits${until}`
  if (effect.type === 'interrupt')
    return `${short(effect.id)} asks ${effect.to ? `${effect.to} ` : ''}'${questionText(effect.question)}'${effect.about?.because[0] ? ` because ${codeText(effect.about.because[0].reason)}` : ''}${until}`
  if (effect.type === 'rollback') return `${effect.id} to event ${effect.to}`
  return `${short(effect.id)}${effect.rethinking ? ' thinking again' : ''}${effect.blocked === undefined ? '' : ` rests on ${short(effect.blocked)}`}${effect.starts > 1 ? ` started ${effect.starts} times` : ''}`
}

/** XState's ids of states written by hand carry the machine's name: `desk.working.writer.draft`. A review says whose it is. */
export function short(id: string): string {
  return id.replace(/^(?:\w+\.)*?(?=(?:\w+\.review|\w+)(?:#|$))/, '')
}

export function bill(spent: Spent): string {
  return SPENDABLE.flatMap(unit =>
    spent[unit] === 0
      ? []
      : [
          unit === 'duration'
            ? `${clock(spent.duration)}`
            : `${Number(spent[unit].toFixed(4))} ${unit}`,
        ],
  ).join(', ')
}

/** `0s`, `1.05s`, `2m`, `1h`, `1d1m`. */
export function clock(ms: number): string {
  let rest = ms
  const parts: string[] = []
  for (const [unit, size] of [
    ['d', 86_400_000],
    ['h', 3_600_000],
    ['m', 60_000],
  ] as const) {
    if (rest >= size) parts.push(`${Math.floor(rest / size)}${unit}`)
    rest %= size
  }
  const seconds = Number((rest / 1_000).toFixed(2))
  return seconds > 0 || parts.length === 0 ? `${parts.join('')}${seconds}s` : parts.join('')
}

export function failureText({
  name,
  message,
  reason,
  class: failureClass,
  was,
  scope,
  rule,
  retryAfter,
}: Failure): string {
  const wait = retryAfter === undefined ? '' : `, retry after ${clock(retryAfter)}`
  return `${name === 'Error' ? '' : `${name}: `}${reason ? codeText(reason) : message} [${failureClass}${was === undefined ? '' : `, was ${was}`}, ${scope}, by ${rule}${wait}]`
}
