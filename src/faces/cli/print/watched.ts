/** What was seen in a recorded trace, for people. */
import type { Act } from '../../../core/watch/act.ts'
import type { Sketch } from '../../../core/watch/finding.ts'
import { canonical } from '../../../core/watch/signature.ts'

/** What the eye has told of, and the number of the event at which it did. */
export interface Flag {
  readonly at: number
  readonly sketch: Sketch
}

const LAPS_MAX = 4
const TEXT_MAX = 120

export function watchedText(id: string, acts: readonly Act[], flags: readonly Flag[]): string {
  const [first] = flags
  const calls = acts.filter(({ act }) => act === 'called').length
  const after = acts.slice((first?.at ?? 0) + 1).filter(({ act }) => act === 'called').length
  const head = `${id}: ${acts.length} events, ${calls} calls; ${after} of them came after the first finding`
  return `${[head, ...flags.map(flag => flagText(acts, flag))].join('\n')}\n`
}

function flagText(acts: readonly Act[], { at, sketch }: Flag): string {
  const { detector, summary, onset, period, repeats, sure, events } = sketch
  const shown = events.length <= LAPS_MAX ? events : [...events.slice(0, 1), ...events.slice(-(LAPS_MAX - 1))]
  return [
    `  at ${at}  ${detector}: ${summary}`,
    `        period ${period}, ${repeats} times, since ${onset}${sure === undefined ? '' : `, sure to ${Math.round(sure * 100)} %`}; ${evidenceOf(acts, events)}`,
    ...shown.map(seq => `        ${seq}: ${actText(acts, seq)}`),
  ].join('\n')
}

/** Whether the events that show it are the same, and if not, how many there are. */
function evidenceOf(acts: readonly Act[], events: readonly number[]): string {
  const texts = new Set(events.map(seq => askedText(acts, seq)))
  return texts.size === 1 ? 'each time the same' : `${texts.size} different ones`
}

/** An answer with the call it answers. */
function actText(acts: readonly Act[], seq: number): string {
  const act = acts[seq]
  return act?.act === 'answered' ? cut(`${askedText(acts, seq)} → ${act.text}`) : cut(askedText(acts, seq))
}

function askedText(acts: readonly Act[], seq: number): string {
  const act = acts[seq]
  if (act?.act !== 'answered') return act?.act === 'called' ? callText(act) : `${act?.by ?? 'it'} says ${act?.text ?? ''}`
  const call = acts.slice(0, seq).findLast(other => other.act === 'called' && (act.call === undefined || other.call === act.call))
  return call?.act === 'called' ? callText(call) : 'an answer'
}

function callText({ tool, args }: Act & { act: 'called' }): string {
  return `${tool} ${canonical(args)}`
}

function cut(text: string): string {
  const line = text.replace(/\s+/g, ' ')
  return line.length > TEXT_MAX ? `${line.slice(0, TEXT_MAX)}…` : line
}
