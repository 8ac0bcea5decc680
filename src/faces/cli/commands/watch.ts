/** The eye over recorded traces: which of them went round in circles, from where on, and how that shows. */
import { explain } from '../../../core/watch/reason/reason.ts'
import { changePolicy } from '../../../core/graph/spec/policy-schema.ts'
import { partFaults } from '../../../core/graph/spec/part-faults.ts'
import type { Act } from '../../../core/watch/normalize/act.ts'
import { TRACE_WATCHER, watchAct } from '../../../core/watch/trace-watcher.ts'
import { BUILT_IN } from '../../../core/watch/parts.ts'
import { type DetectPolicy, POLICY } from '../../../core/watch/policy/policy.ts'
import { loadPolicyChange } from '../../../host/load.ts'
import { type App, UsageError } from '../app/app.ts'
import type { RecordedTrace } from '../print/trace-text.ts'
import type { TraceFormat } from '../app/choices.ts'
import { tracesText } from '../print/progress.ts'
import { type Flag, numberIn, traceBlocks } from '../print/trace-text.ts'
import { recordingsOf } from './recordings.ts'

export interface WatchOptions {
  readonly format?: TraceFormat
  readonly policy?: string
  readonly compare?: readonly string[]
  readonly out?: string
  readonly json?: boolean
}

/** Reads one trace after the other; a line of JSON for each, to `--out` or to a pipe, and a table for people. */
export async function watch(
  app: App,
  files: readonly string[],
  options: WatchOptions,
): Promise<number> {
  const policy = await policyOf(options.policy)
  const { traces, tell } = recordingsOf(app, files, options.format)
  const table = app.interactive && !options.json
  const told = { traces: 0, flagged: 0 }
  return tell(verdicts(), options.out, () => [
    `${tracesText(told.traces)}, ${told.flagged} with loops`,
  ])

  async function* verdicts(): AsyncGenerator<string> {
    for await (const trace of traces()) {
      const start = app.elapsed()
      const flags = flagsOf(trace.acts, policy)
      const ns = Math.round((app.elapsed() - start) * 1_000_000)
      told.traces++
      if (flags.length > 0) told.flagged++
      const line = `${JSON.stringify({ id: trace.id, flags: flags.map(flag => flagJson(flag, trace)), ns })}\n`
      if (table && flags.length > 0) app.print(traceBlocks(trace, flags))
      if (!table || options.out !== undefined) yield line
    }
  }
}

/** All that the eye would have told of. */
export function flagsOf(acts: readonly Act[], policy: DetectPolicy): readonly Flag[] {
  const flags: Flag[] = []
  let watcher = TRACE_WATCHER
  for (const [at, act] of acts.entries()) {
    const [next, sketches] = watchAct(watcher, act, policy)
    watcher = next
    for (const draft of sketches) flags.push({ at, sketch: draft })
  }
  return flags
}

function flagJson(
  { at, sketch: { detector, onset, repeats, confidence, reason } }: Flag,
  trace: RecordedTrace,
) {
  return {
    at: numberIn(trace, at),
    kind: detector,
    onset: numberIn(trace, onset),
    repeats,
    ...(confidence === undefined ? {} : { confidence }),
    summary: explain(reason),
    reason,
  }
}

/** What a file makes of the default policy. @throws UsageError, SpecFaults */
export async function policyOf(file: string | undefined): Promise<DetectPolicy> {
  if (file === undefined) return POLICY.detect
  // Detectors of one's own are not at hand here, and ways out are not needed.
  const {
    policy = POLICY,
    faults = partFaults({ detect: policy.detect, escape: POLICY.escape }, BUILT_IN),
  } = changePolicy(POLICY, await loadPolicyChange([], file))
  if (faults.length > 0)
    throw new UsageError(
      faults.map(({ path, message }) => `${file}: ${path}: ${message}`).join('\n'),
    )
  return policy.detect
}
