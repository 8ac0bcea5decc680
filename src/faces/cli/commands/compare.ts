/** The same recorded traces under two policies: what each would have stopped, and where. */
import { type App, UsageError } from '../app/app.ts'
import type { RecordedTrace } from '../print/trace-text.ts'
import {
  type Compared,
  comparedBlocks,
  differenceBlock,
  type FirstFlag,
  TOTAL,
  type Total,
} from '../print/compared.ts'
import { type Flag, numberIn } from '../print/trace-text.ts'
import { recordingsOf } from './recordings.ts'
import { policyOf, type WatchOptions, flagsOf } from './watch.ts'

/** Reads each trace once; a line of JSON for each and one for all, to `--out` or to a pipe, and a table of the traces where they differ for people. */
export async function compare(
  app: App,
  files: readonly string[],
  options: WatchOptions,
): Promise<number> {
  const [one, other, ...more] = options.compare ?? []
  if (one === undefined || other === undefined || more.length > 0)
    throw new UsageError(
      '--compare: expected two policies, as --compare A.yaml B.yaml after the traces',
    )
  if (options.policy !== undefined)
    throw new UsageError('--compare and --policy: expected one of them')
  const policies = [await policyOf(one), await policyOf(other)] as const
  const { traces, tell } = recordingsOf(app, files, options.format)
  const total = { ...TOTAL }
  const table = app.interactive && !options.json
  return tell(lines(), options.out, () => comparedBlocks(total, one, other))

  async function* lines(): AsyncGenerator<string> {
    for await (const trace of traces()) {
      const { id, acts, solved = false } = trace
      const [a, b] = policies.map(policy => haltOf(flagsOf(acts, policy), trace))
      const compared: Compared = {
        id,
        events: numberIn(trace, acts.length),
        solved,
        ...(a ? { a } : {}),
        ...(b ? { b } : {}),
      }
      add(total, compared)
      if (table && a?.at !== b?.at) app.print([differenceBlock(compared)])
      if (!table || options.out !== undefined)
        yield `${JSON.stringify({ ...compared, a: a ?? null, b: b ?? null })}\n`
    }
    if (!table || options.out !== undefined)
      yield `${JSON.stringify({ policies: { a: one, b: other }, total })}\n`
  }
}

function haltOf([first]: readonly Flag[], trace: RecordedTrace): FirstFlag | undefined {
  return (
    first && {
      at: numberIn(trace, first.at),
      kind: first.sketch.detector,
      saved: trace.acts.length - first.at - 1,
    }
  )
}

type Growing = { -readonly [Name in keyof Total]: Total[Name] }

function add(total: Growing, { solved, a, b }: Compared): void {
  total.traces++
  if (solved) total.solved++
  if (a && b) total.both++
  else if (a) total.onlyA++
  else if (b) total.onlyB++
  if (a?.at !== b?.at) total.differ++
  total.savedA += a?.saved ?? 0
  total.savedB += b?.saved ?? 0
  if (solved && a) total.disturbedA++
  if (solved && b) total.disturbedB++
}
