/** The findings in a recorded trace. */
import type { Act, Trace } from '../../../core/watch/normalize/act.ts'
import type { FindingDraft } from '../../../core/watch/event/finding.ts'
import { explain } from '../../../core/watch/reason/reason.ts'
import { canonical } from '../../../core/watch/data/signature.ts'
import { countText } from './amounts.ts'
import { type Block, bold, dim, styled } from './layout.ts'

/** A recorded run, read from a file. */
export interface RecordedTrace extends Trace {
  /** The numbers of its events that are no acts, so that all others keep theirs. */
  readonly gaps?: readonly number[]
}

/** A finding, and the act at which it was made, counted from 0. */
export interface Flag {
  readonly at: number
  readonly sketch: FindingDraft
}

const SHOWN_MAX = 6
const TEXT_MAX = 120

/** The number that an act has in the recording, which counts what is no act, too. */
export function numberIn({ gaps = [] }: RecordedTrace, act: number): number {
  return gaps.reduce((number, gap) => (gap <= number ? number + 1 : number), act)
}

export function traceBlocks(trace: RecordedTrace, flags: readonly Flag[]): readonly Block[] {
  const { id, acts } = trace
  const [first] = flags
  const isCall = ({ act }: Act) => act === 'called'
  const calls = countText(acts.filter(isCall).length, 'call')
  const after = acts.slice((first?.at ?? 0) + 1).filter(isCall).length
  return [
    [
      bold(id),
      dim(`  ${countText(acts.length, 'event')}, ${calls}, ${after} after the first finding`),
    ],
    ...flags.flatMap(flag => flagBlocks(trace, flag)),
    '',
  ]
}

function flagBlocks(trace: RecordedTrace, { at, sketch: draft }: Flag): readonly Block[] {
  const { acts } = trace
  const { detector, reason, onset, period, repeats, confidence } = draft
  const laps = lapEvents(acts, at, draft)
  const shown =
    laps.length <= SHOWN_MAX
      ? laps
      : [...laps.slice(0, SHOWN_MAX / 2), ...laps.slice(-SHOWN_MAX / 2)]
  const certainty = confidence === undefined ? '' : `, confidence ${Math.round(confidence * 100)} %`
  const count = `${countText(repeats, 'lap')} × period ${period}, events ${numberIn(trace, onset)}–${numberIn(trace, at)}`
  return [
    { wrap: [styled(`  ⟳ ${detector}  `, 'yellow', 'bold'), bold(explain(reason))], hang: 6 },
    { wrap: [dim(`      ${count}${certainty}; ${evidenceOf(acts, laps, period)}`)], hang: 6 },
    {
      rows: shown.map(seq => [
        dim(`      ${numberIn(trace, seq)}`),
        requestText(acts, seq),
        dim(answerText(acts[seq])),
      ]),
    },
  ]
}

/** What came of a call, where it is shown with its answer. */
const answerText = (act: Act | undefined) =>
  act?.act === 'answered' ? `→ ${act.text.slice(0, TEXT_MAX)}` : ''

/** The events of all laps: those that the detector names, or where it names the last lap only, all answers since the onset. */
function lapEvents(acts: readonly Act[], at: number, draft: FindingDraft): readonly number[] {
  const { onset, period, repeats, events } = draft
  if (events.length >= period * repeats) return events
  const answers = acts
    .slice(onset, at + 1)
    .flatMap(({ act }, index) => (act === 'answered' ? [onset + index] : []))
  return answers.length >= events.length ? answers : events
}

/** Whether each lap is like the one before it, and if not, how many different events there are. */
function evidenceOf(acts: readonly Act[], events: readonly number[], period: number): string {
  const texts = events.map(seq => requestText(acts, seq))
  return texts.every((text, index) => index < period || text === texts[index - period])
    ? 'the same in each lap'
    : `${new Set(texts).size} different calls`
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
