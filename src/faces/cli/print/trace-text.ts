/** What was seen in a recorded trace, for people. */
import { explain } from '../../../core/watch/catalog.ts'
import type { Act } from '../../../core/watch/normalize/act.ts'
import type { FindingDraft } from '../../../core/watch/finding.ts'
import { canonical } from '../../../core/watch/signature.ts'
import type { RecordedTrace } from '../app.ts'
import { plain } from './plain.ts'

/** What the eye has told of, and the act at which it did, counted from 0. */
export interface Flag {
  readonly at: number
  readonly sketch: FindingDraft
}

const LAPS_MAX = 4
const TEXT_MAX = 120

/** The number that an act has in the recording, which counts what is no act, too. */
export function numberIn({ gaps = [] }: RecordedTrace, act: number): number {
  return gaps.reduce((number, gap) => (gap <= number ? number + 1 : number), act)
}

export function traceText(trace: RecordedTrace, flags: readonly Flag[]): string {
  const { id, acts } = trace
  const [first] = flags
  const calls = acts.filter(({ act }) => act === 'called').length
  const after = acts.slice((first?.at ?? 0) + 1).filter(({ act }) => act === 'called').length
  const head = `${plain(id)}: ${acts.length} events, ${calls} calls; ${after} of them came after the first finding`
  return `${[head, ...flags.map(flag => flagText(trace, flag))].join('\n')}\n`
}

function flagText(trace: RecordedTrace, { at, sketch: draft }: Flag): string {
  const { acts } = trace
  const { detector, reason, onset, period, repeats, confidence, events } = draft
  const shown =
    events.length <= LAPS_MAX ? events : [...events.slice(0, 1), ...events.slice(-(LAPS_MAX - 1))]
  return [
    `  at ${numberIn(trace, at)}  ${detector}: ${plain(explain(reason))}`,
    `        period ${period}, ${repeats} times, since ${numberIn(trace, onset)}${confidence === undefined ? '' : `, confidence ${Math.round(confidence * 100)} %`}; ${evidenceOf(acts, draft)}`,
    ...shown.map(seq => `        ${numberIn(trace, seq)}: ${actText(acts, seq)}`),
  ].join('\n')
}

/** Whether each lap is like the one before it, and if not, how many different events there are. */
function evidenceOf(acts: readonly Act[], { events, period }: FindingDraft): string {
  const texts = events.map(seq => requestText(acts, seq))
  return texts.every((text, index) => index < period || text === texts[index - period])
    ? 'each time the same'
    : `${new Set(texts).size} different ones`
}

/** An answer with the call it answers. */
function actText(acts: readonly Act[], seq: number): string {
  const act = acts[seq]
  return act?.act === 'answered'
    ? truncate(`${requestText(acts, seq)} → ${act.text}`)
    : truncate(requestText(acts, seq))
}

function requestText(acts: readonly Act[], seq: number): string {
  const act = acts[seq]
  if (act?.act !== 'answered')
    return act?.act === 'called' ? callText(act) : `${act?.by ?? 'it'} says ${act?.text ?? ''}`
  const call = acts
    .slice(0, seq)
    .findLast(
      other => other.act === 'called' && (act.call === undefined || other.call === act.call),
    )
  return call?.act === 'called' ? callText(call) : 'an answer'
}

function callText({ tool, args }: Act & { act: 'called' }): string {
  return `${tool} ${canonical(args)}`
}

function truncate(text: string): string {
  const line = plain(text)
  return line.length > TEXT_MAX ? `${line.slice(0, TEXT_MAX)}…` : line
}
