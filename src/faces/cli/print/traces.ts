/** Recorded traces: the findings in one, two policies over the same traces, and the progress of reading. */
import { mapFields } from '../../../core/watch/data/json.ts'
import type { RecordedTrace } from '../../../adapters/trace/traces.ts'
import { type Attribution, FAULT_KINDS } from '../../../core/watch/attribution/fault.ts'
import type { FindingDraft } from '../../../core/watch/event/event.ts'
import type { Act } from '../../../core/watch/trace-watcher.ts'
import { explain } from '../../../core/watch/reason/reason.ts'
import { countWhile } from './ascending.ts'
import { type Block, type Blocks, countText, bold, dim, styled } from './layout.ts'
import { lapsIn } from './trace-laps.ts'

/** A finding, and the act that triggered it, counted from 0. */
export type Flag = Readonly<{ at: number; draft: FindingDraft }>

const ANSWER_CHARACTERS_MAX = 120

/** The number of an act in its recording, which also counts events that are not acts. */
export const numberIn = ({ gaps = [] }: RecordedTrace, act: number): number =>
  act + countWhile(gaps, (gap, before) => gap <= act + before)

export function traceBlocks(
  trace: RecordedTrace,
  flags: readonly Flag[],
  fault?: Attribution,
): Blocks {
  const { id, acts } = trace
  const isCall = ({ act }: Act) => act === 'called'
  const calls = countText(acts.filter(isCall).length, 'call')
  const after = acts.slice((flags[0]?.at ?? 0) + 1).filter(isCall).length
  const counts = `${countText(acts.length, 'event')}, ${calls}, ${after} after the first finding`
  return [
    [bold(id), dim(`  ${counts}`)],
    ...(fault ? [faultBlock(fault, numberIn(trace, fault.at))] : []),
    ...flagBlocks(trace, flags),
    '',
  ]
}

/** What began it, for people. */
export function faultBlock({ kind, subject, confidence }: Attribution, at: number): Block {
  const where = subject === '' ? `event ${at}` : `event ${at}, ${subject}`
  const text = `${FAULT_KINDS[kind]} (${kind}, confidence ${Math.round(confidence * 100)} %)`
  return { wrap: [styled('  ⚑ began at ', 'red', 'bold'), `${where}: ${text}`], hang: 6 }
}

function flagBlocks(trace: RecordedTrace, flags: readonly Flag[]): Blocks {
  const { acts } = trace
  const { lapsOf, requestText } = lapsIn(acts)
  return flags.flatMap(({ at, draft }) => {
    const { detector, reason, onset, period, repeats, confidence } = draft
    const { shown, sameness } = lapsOf(draft, at)
    const certainty =
      confidence === undefined ? '' : `, confidence ${Math.round(confidence * 100)} %`
    const count = `${countText(repeats, 'lap')} × period ${period}, events ${numberIn(trace, onset)}–${numberIn(trace, at)}`
    return [
      { wrap: [styled(`  ⟳ ${detector}  `, 'yellow', 'bold'), bold(explain(reason))], hang: 6 },
      { wrap: [dim(`      ${count}${certainty}; ${sameness}`)], hang: 6 },
      {
        rows: shown.map(event => [
          dim(`      ${numberIn(trace, event)}`),
          requestText(event),
          dim(answerText(acts[event])),
        ]),
      },
    ]
  })
}

const answerText = (act: Act | undefined) =>
  act?.act === 'answered' ? `→ ${act.text.slice(0, ANSWER_CHARACTERS_MAX)}` : ''

/** The first finding of a policy in a trace. */
export interface FirstFlag {
  readonly at: number
  readonly kind: string
  /** Events after it. */
  readonly saved: number
}

export function firstFlagOf(trace: RecordedTrace, [first]: readonly Flag[]): FirstFlag | undefined {
  if (!first) return undefined
  const saved = trace.acts.length - first.at - 1
  return { at: numberIn(trace, first.at), kind: first.draft.detector, saved }
}

export interface Compared {
  readonly id: string
  readonly events: number
  readonly solved: boolean
  readonly a?: FirstFlag
  readonly b?: FirstFlag
}

/** What a trace adds to each total. `differ`: stopped by one policy only, or at different events. `disturbed`: stopped although solved. */
const COUNTS = {
  traces: (_: Compared) => 1,
  solved: ({ solved }: Compared) => solved,
  both: ({ a, b }: Compared) => a && b,
  onlyA: ({ a, b }: Compared) => a && !b,
  onlyB: ({ a, b }: Compared) => b && !a,
  differ: ({ a, b }: Compared) => a?.at !== b?.at,
  savedA: ({ a }: Compared) => a?.saved,
  savedB: ({ b }: Compared) => b?.saved,
  disturbedA: ({ solved, a }: Compared) => solved && a,
  disturbedB: ({ solved, b }: Compared) => solved && b,
}

type Total = Record<keyof typeof COUNTS, number>

export const TOTAL = mapFields<unknown, number>(COUNTS, () => 0) as Total

export function addTo(total: Total, compared: Compared): void {
  for (const name of Object.keys(COUNTS) as (keyof Total)[]) {
    const count = COUNTS[name](compared)
    total[name] += typeof count === 'number' ? count : Number(Boolean(count))
  }
}

const COLUMN = 30

/** A trace where two policies differ. */
export function differenceBlock({ id, events, solved, a, b }: Compared): Block {
  const flags = [`A ${firstFlagText(a)}`, `B ${firstFlagText(b)}`].map(text => text.padEnd(COLUMN))
  return [...flags, bold(id), dim(` (${countText(events, 'event')}${solved ? ', solved' : ''})`)]
}

const firstFlagText = (flag: FirstFlag | undefined): string =>
  flag ? `at ${flag.at} (${flag.kind}), saves ${flag.saved}` : 'finds nothing'

export function comparedBlocks(total: Total, a: string, b: string): Blocks {
  const { both, onlyA, onlyB, savedA, savedB, disturbedA, disturbedB } = total
  const head = ['', 'stopped', 'alone', 'events saved', 'disturbed'].map(dim)
  const rows = [
    [`A ${a}`, both + onlyA, onlyA, savedA, disturbedA],
    [`B ${b}`, both + onlyB, onlyB, savedB, disturbedB],
  ].map(row => row.map(cell => cell.toLocaleString('en-US')))
  return [
    `${countText(total.traces, 'trace')}, ${total.solved} solved; ${both} stopped by both, ${total.differ} judged differently`,
    { rows: [head, ...rows], right: [1, 2, 3, 4] },
  ]
}

type Progress = Readonly<{ traces: number; bytes: number }>

/** `ms`: since reading began. */
export function progressText({ traces, bytes }: Progress, ms: number): string {
  const megabytes = bytes / 1_000_000
  return `${countText(traces, 'trace')}, ${megabytes.toFixed(0)} MB, ${((megabytes * 1000) / Math.max(ms, 1)).toFixed(0)} MB/s`
}

/** Kinds that are named. The total counts all. */
const KINDS_NAMED_MAX = 8
const KIND_CHARACTERS_MAX = 40

export function skippedText(skipped: ReadonlyMap<string, number>): string {
  if (skipped.size === 0) return ''
  const kinds = [...skipped].toSorted(([, one], [, other]) => other - one)
  const total = kinds.reduce((sum, [, times]) => sum + times, 0)
  const named = kinds
    .slice(0, KINDS_NAMED_MAX)
    .map(([kind, times]) => `${times} ${JSON.stringify(kind.slice(0, KIND_CHARACTERS_MAX))}`)
  const rest = kinds.length - KINDS_NAMED_MAX
  const more = rest > 0 ? ` and ${rest} kinds more` : ''
  return `skipped ${total} of unknown kinds: ${named.join(', ')}${more}\n`
}
