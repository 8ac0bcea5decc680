/** The detectors over recorded traces: which traces loop, from which event on, and what one policy finds that another does not. */
import { escapeControls } from '../../../core/watch/data/invisible.ts'
import { writeLines } from '../../../adapters/node/files.ts'
import type { RecordedTrace } from '../../../adapters/trace/traces.ts'
import { partFaults } from '../../../core/watch/part-faults.ts'
import { changePolicy } from '../../../core/graph/spec/policy-schema.ts'
import { defined } from '../../../core/watch/data/json.ts'
import { attributeActs } from '../../../core/watch/attribution/attribute.ts'
import { type Act, TRACE_WATCHER, watchAct } from '../../../core/watch/trace-watcher.ts'
import { BUILT_IN } from '../../../core/watch/parts.ts'
import { type DetectPolicy, POLICY } from '../../../core/watch/policy/policy.ts'
import { explain } from '../../../core/watch/reason/reason.ts'
import { loadPolicyChange, SpecFaults } from '../../../host/drive/load.ts'
import { redactor } from '../../../runtime/redaction/redact.ts'
import { secretsIn } from '../../../runtime/redaction/secret-variables.ts'
import { type App, EXIT, readingExit, type TraceFormat, UsageError } from '../app/app.ts'
import { type Blocks, countText } from '../print/layout.ts'
import { addTo, comparedBlocks, differenceBlock, firstFlagOf, numberIn } from '../print/traces.ts'
import { type Flag, progressText, skippedText, TOTAL, traceBlocks } from '../print/traces.ts'

export interface WatchOptions {
  readonly format?: TraceFormat
  readonly policy?: string
  readonly compare?: readonly string[]
  readonly out?: string
  readonly attribute?: boolean
  readonly json?: boolean
}

/** What is reported of the traces: of each one, and of all in the end. */
type Reporter = Readonly<{ visit: (trace: RecordedTrace) => Report; last: () => Report }>

/** `blocks`: made only if they are printed. */
type Report = Readonly<{ json?: object; blocks: () => Blocks }>

/** Reads one trace after the other. Prints tables on a terminal; writes lines of JSON to `--out` or to a pipe. */
export async function watch(
  app: App,
  files: readonly string[],
  options: WatchOptions,
): Promise<number> {
  const { compare, out } = options
  const reporter = compare ? await comparer(compare, options) : await detector(app, options)
  const table = app.interactive && !options.json
  // A finding quotes what a tool answered.
  const redact = redactor(secretsIn(app.environment))
  const { traces, print } = readRecordings(app, files, options.format)
  return print(lines(), out, () => reporter.last().blocks())

  async function* lines(): AsyncGenerator<string> {
    for await (const trace of traces()) yield* report(reporter.visit(trace), true)
    yield* report(reporter.last(), false)
  }

  function* report({ json, blocks }: Report, each: boolean): Generator<string> {
    const printed = each && table ? blocks() : []
    if (printed.length > 0) app.print(redact(printed))
    if (json && (!table || out !== undefined))
      yield escapeControls(`${JSON.stringify(redact(json))}\n`)
  }
}

async function detector(app: App, options: WatchOptions): Promise<Reporter> {
  const { policy: file, attribute } = options
  const policy = file === undefined ? POLICY.detect : await policyOf(file)
  const count = { traces: 0, flagged: 0, attributed: 0 }
  return {
    visit(trace) {
      const start = app.elapsed()
      const flags = flagsOf(trace.acts, policy)
      const ns = Math.round((app.elapsed() - start) * 1_000_000)
      count.traces++
      if (flags.length > 0) count.flagged++
      const fault = attribute ? attributeActs(trace.acts) : undefined
      if (fault) count.attributed++
      const at = fault && numberIn(trace, fault.at)
      return {
        json: {
          id: trace.id,
          flags: flags.map(flag => flagJson(flag, trace)),
          ...(attribute && { fault: fault ? { ...fault, at } : null }),
          ns,
        },
        blocks: () => (flags.length > 0 || fault ? traceBlocks(trace, flags, fault) : []),
      }
    },
    last: () => {
      const faults = attribute ? `, ${count.attributed} with a fault` : ''
      return {
        blocks: () => [`${countText(count.traces, 'trace')}, ${count.flagged} with loops${faults}`],
      }
    },
  }
}

/** Compares the first finding of two policies. */
async function comparer(
  files: readonly string[],
  { policy, attribute }: WatchOptions,
): Promise<Reporter> {
  const [one, other, ...more] = files
  if (one === undefined || other === undefined || more.length > 0)
    throw new UsageError(
      '--compare: expected two policies, as --compare A.yaml B.yaml after the traces',
    )
  if (attribute) throw new UsageError('--compare and --attribute: expected one of them')
  if (policy !== undefined) throw new UsageError('--compare and --policy: expected one of them')
  const policies = [await policyOf(one), await policyOf(other)]
  const total = { ...TOTAL }
  return {
    visit(trace) {
      const { id, acts, solved = false } = trace
      const [a, b] = policies.map(each => firstFlagOf(trace, flagsOf(acts, each)))
      const compared = { id, events: numberIn(trace, acts.length), solved, ...defined({ a, b }) }
      addTo(total, compared)
      return {
        json: { ...compared, a: a ?? null, b: b ?? null },
        blocks: () => (a?.at === b?.at ? [] : [differenceBlock(compared)]),
      }
    },
    last: () => ({
      json: { policies: { a: one, b: other }, total },
      blocks: () => comparedBlocks(total, one, other),
    }),
  }
}

/** All findings in a trace. */
export function flagsOf(acts: readonly Act[], policy: DetectPolicy): readonly Flag[] {
  const flags: Flag[] = []
  let watcher = TRACE_WATCHER
  for (const [at, act] of acts.entries()) {
    const [next, drafts] = watchAct(watcher, act, policy)
    watcher = next
    for (const draft of drafts) flags.push({ at, draft })
  }
  return flags
}

function flagJson({ at, draft }: Flag, trace: RecordedTrace) {
  const { detector, onset, repeats, confidence, reason } = draft
  return {
    at: numberIn(trace, at),
    kind: detector,
    onset: numberIn(trace, onset),
    repeats,
    ...defined({ confidence }),
    summary: explain(reason),
    reason,
  }
}

/** The default policy with the overrides of a file. @throws SpecFaults */
async function policyOf(file: string): Promise<DetectPolicy> {
  // Custom detectors are not loaded here, and escapes are not needed.
  const {
    policy = POLICY,
    faults = partFaults({ detect: policy.detect, escape: POLICY.escape }, BUILT_IN),
  } = changePolicy(POLICY, await loadPolicyChange([], file))
  if (faults.length === 0) return policy.detect
  throw new SpecFaults(faults.map(fault => ({ ...fault, file })))
}

/** Ms between two updates of the progress. */
const UPDATE_INTERVAL = 250
/** Kinds of unknown events counted separately. A file can have as many kinds as events. */
const KINDS_MAX = 1000

/** Reads traces with a progress line. `print` writes the lines and then prints `last`, and returns the exit code. */
function readRecordings(app: App, files: readonly string[], format: TraceFormat | undefined) {
  const signal = AbortSignal.any([app.signal, app.leave])
  const progress = { traces: 0, bytes: 0 }
  const skipped = new Map<string, number>()
  const since = app.elapsed()
  let shown = since
  return { traces, print }

  async function* traces(): AsyncGenerator<RecordedTrace> {
    const reading = { ...defined({ format }), signal, read, passed: skip }
    for (const file of files)
      for await (const trace of app.traces(file, reading)) {
        progress.traces++
        yield trace
      }
  }

  async function print(lines: AsyncIterable<string>, out: string | undefined, last: () => Blocks) {
    try {
      if (out === undefined) for await (const line of lines) app.out(line)
      else await writeLines(out, lines, { keep: files, signal })
    } catch (error) {
      if (!signal.aborted) throw error
      const file = out === undefined ? '' : `; ${out} was not written`
      app.err(`stopped after ${countText(progress.traces, 'trace')}${file}\n`)
      return readingExit(app)
    }
    app.err(skippedText(skipped))
    app.note(last())
    return EXIT.goal
  }

  function skip(kind: string): void {
    const known = skipped.size < KINDS_MAX || skipped.has(kind) ? kind : 'others'
    skipped.set(known, (skipped.get(known) ?? 0) + 1)
  }

  function read(bytes: number): void {
    progress.bytes += bytes
    const now = app.elapsed()
    if (now - shown < UPDATE_INTERVAL) return
    shown = now
    app.status(progressText(progress, now - since))
  }
}
