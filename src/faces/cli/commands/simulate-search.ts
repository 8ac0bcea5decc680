/** `escapement sim explore` and `shrink`: find the failures of an agent, and the smallest run that shows one. */
import { escapeControls, oneLine } from '../../../core/watch/data/invisible.ts'
import { makeFolder } from '../../../adapters/node/make-folder.ts'
import { writeFile } from 'node:fs/promises'
import { setImmediate } from 'node:timers/promises'
import { basename, dirname, join, relative } from 'node:path'
import { guardRun } from '../../../adapters/spec/exit-guard.ts'
import { yamlText } from '../../../adapters/spec/yaml.ts'
import { runTrials } from '../../../host/simulation/pool.ts'
import { tokenOf } from '../../../host/simulation/token.ts'
import { isMap, type Json } from '../../../core/watch/data/json.ts'
import type { Trial } from '../../../simulate/monte/monte.ts'
import type { SimulatedRun } from '../../../simulate/run/simulate.ts'
import { EFFECTS, explore } from '../../../simulate/search/explore.ts'
import { isFailure } from '../../../simulate/search/fingerprint.ts'
import { shrink, type Shrunk } from '../../../simulate/search/shrink.ts'
import { type App, parseWholeNumber, parseWorkers, printResult, UsageError } from '../app/app.ts'
import { quoted } from '../print/command-line.ts'
import { explorationBlocks, shrunkBlocks } from '../print/search.ts'
import { type SubjectOptions, subjectIn, warnOfWrites } from './subject.ts'

const EXIT = { clean: 0, found: 1 }

interface ExploreOptions extends SubjectOptions {
  readonly faults: string
  readonly calls: string
  readonly workers?: string
  readonly json?: boolean
}

/** Runs every tape with at most k faults among the first m calls. Exit code 1 if one of them fails. */
export async function exploreTapes(app: App, file: string, options: ExploreOptions) {
  const { subject, policy, seed } = await subjectIn(file, options)
  await warnOfWrites(app, subject)
  const faults = parseWholeNumber('--faults', options.faults)
  const calls = parseWholeNumber('--calls', options.calls)
  if (calls === 0) throw new UsageError('--calls expects at least 1')
  if (faults > FAULTS_MAX || calls > CALLS_MAX)
    throw new UsageError(`expected at most --faults ${FAULTS_MAX} and --calls ${CALLS_MAX}`)
  const workers = options.workers === undefined ? {} : { workers: parseWorkers(options.workers) }
  const since = app.elapsed()
  const run = (trials: readonly Trial[]) => inOrder(app, trials, { file, ...workers })
  const found = await explore({ policy, seed, faults, calls, effects: EFFECTS, run })
  const seconds = (app.elapsed() - since) / 1_000
  printResult(app, options, { ...found, seconds }, () => explorationBlocks(found, seconds))
  return found.failures.length > 0 ? EXIT.found : EXIT.clean
}

/** More would take days. */
const FAULTS_MAX = 4
const CALLS_MAX = 64

/** The runs in the order of their trials. */
async function inOrder(
  app: App,
  trials: readonly Trial[],
  where: { readonly file: string; readonly workers?: number },
): Promise<readonly SimulatedRun[]> {
  const runs = new Map<Trial, SimulatedRun>()
  const onRun = (trial: Trial, run: SimulatedRun) => {
    runs.set(trial, run)
    app.status(`${runs.size}/${trials.length} tapes`)
  }
  await runTrials(trials, { ...where, signal: AbortSignal.any([app.signal, app.leave]), onRun })
  return trials.map(trial => runs.get(trial) as SimulatedRun)
}

interface ShrinkOptions extends SubjectOptions {
  readonly out?: string
  readonly json?: boolean
}

/** Shrinks the run of a seed, and writes a scenario and a test that show its failure. */
export async function shrinkRun(app: App, file: string, options: ShrinkOptions): Promise<number> {
  const { subject, policy, seed, value, scenario } = await subjectIn(file, options)
  await warnOfWrites(app, subject)
  const signal = AbortSignal.any([app.signal, app.leave])
  const shrunk = await guardRun(() => shrink(subject, { seed, signal, pause: setImmediate }))
  const { outcome, violations } = shrunk.run
  if (outcome === 'success' && violations.length === 0)
    throw new UsageError(
      `seed ${seed} with the policy ${policy} ends as success: nothing to shrink`,
      { hint: `escapement sim monte ${quoted(file)} finds seeds that fail` },
    )
  const { out = dirname(file) } = options
  const minimal = minimalScenario(value, shrunk, policy)
  const token = tokenOf({ folder: dirname(file), scenario: minimal, policy, seed })
  // The name of a scenario may be any text.
  const name = `${scenario.name.replaceAll(/[^\w.-]+/g, '-')}-${seed}`
  const files = await writeRepro(out, name, {
    scenario: minimalAt(minimal, relative(out, dirname(file))),
    policy,
    shrunk,
  })
  printResult(app, options, { ...shrunk, token, files }, () => shrunkBlocks(shrunk, token, files))
  return isFailure(shrunk.run) ? EXIT.found : EXIT.clean
}

/** The scenario with the faults that suffice, and the policy and the seed of the run. */
function minimalScenario(value: Json, { faults, seed }: Shrunk, policy: string): Json {
  const { gates: _, heal: __, vary: ___, until: ____, ...scenario } = isMap(value) ? value : {}
  const policies = isMap(scenario.policies) ? { [policy]: scenario.policies[policy] ?? {} } : {}
  return {
    ...scenario,
    seeds: [seed, seed],
    ...(Object.keys(policies).length > 0 && { policies }),
    faults: [...(faults as unknown as readonly Json[]), ...namedFaults(scenario, faults)],
  }
}

/** The faults that are not needed, but whose number a condition reads. They never occur. */
function namedFaults(
  { oracle, faults }: Readonly<Record<string, Json>>,
  needed: Shrunk['faults'],
): readonly Json[] {
  const conditions = JSON.stringify(oracle ?? {})
  return (Array.isArray(faults) ? faults.filter(isMap) : [])
    .filter(({ id }) => conditions.includes(`${id}`) && !needed.some(of => of.id === id))
    .map(({ id, on, what }) => ({ id, on, what, arm: 0 }) as Json)
}

/** Its paths start where they did: a script and a fake system are looked up only in their folder and below. */
function minimalAt(scenario: Json, folder: string): Json {
  if (folder === '' || !isMap(scenario)) return scenario
  return { ...scenario, folder: join(folder, String(scenario.folder ?? '')) }
}

interface Repro {
  readonly scenario: Json
  readonly policy: string
  readonly shrunk: Shrunk
}

/** @throws UsageError */
async function writeRepro(folder: string, name: string, { scenario, policy, shrunk }: Repro) {
  const files = [join(folder, `${name}.scenario.yaml`), join(folder, `${name}.repro.test.ts`)]
  const [yaml = '', test = ''] = files
  const texts = [yamlText(scenario), escapeControls(testOf(basename(yaml), policy, shrunk))]
  try {
    await makeFolder(folder)
    for (const [index, text] of texts.entries())
      await writeFile(index === 0 ? yaml : test, text, { flag: 'wx' })
  } catch (error) {
    const { code, message } = error as { code?: string; message: string }
    throw new UsageError(
      code === 'EEXIST' ? `${folder}: ${name} already exists; --out names another folder` : message,
    )
  }
  return files
}

const testOf = (scenario: string, policy: string, { run, because, seed }: Shrunk): string =>
  `import { fileURLToPath } from 'node:url'
import { loadScenario, simulate } from 'escapement/simulate'
import { expect, test } from 'vitest'

// ${oneLine(because)}
test('seed ${seed} does not end ${run.outcome}', async () => {
  const file = fileURLToPath(new URL('./${scenario}', import.meta.url))
  const { ${policy}: subject } = (await loadScenario(file)).subjects
  if (!subject) throw new Error('the policy ${policy} is missing')
  const { outcome, violations } = await simulate(subject, { seed: ${seed} })
  expect({ outcome, violations }).not.toEqual(${JSON.stringify({ outcome: run.outcome, violations: run.violations })})
})
`
