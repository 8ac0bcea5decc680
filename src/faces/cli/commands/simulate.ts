/** `escapement sim`: runs scenarios on virtual time. */
import { escapeControls } from '../../../core/watch/data/invisible.ts'
import { writeFile } from 'node:fs/promises'
import { dirname, extname } from 'node:path'
import { htmlReport, type LinkOf } from '../../../simulate/report/html.ts'
import { junitReport } from '../../../simulate/report/junit.ts'
import { markdownReport } from '../../../simulate/report/markdown.ts'
import { openStore } from '../../../host/drive/stored.ts'
import { loadScenario } from '../../../host/simulation/load-scenario.ts'
import { guardRun } from '../../../adapters/spec/exit-guard.ts'
import { runTrials } from '../../../host/simulation/pool.ts'
import { type Store, ThreadExists } from '../../../runtime/store/store.ts'
import type { MonteReport, MonteVerdict } from '../../../simulate/monte/report.ts'
import {
  type Done,
  nextSeeds,
  planOf,
  repeatsOf,
  reportOnTrials,
  type Trial,
  trialsOf,
} from '../../../simulate/monte/monte.ts'
import { simulate, type SimulatedRun } from '../../../simulate/run/simulate.ts'
import { scenarioJsonSchema, SEEDS_MAX, type Seeds } from '../../../simulate/scenario/scenario.ts'
import {
  type App,
  checkFolder,
  checkNamed,
  parseWorkers,
  printResult,
  UsageError,
} from '../app/app.ts'
import { commandLine, quoted } from '../print/command-line.ts'
import { type GridCell, gridReport } from '../../../simulate/report/grid.ts'
import { type Cell, cellsOf, cellText } from '../../../simulate/scenario/vary.ts'
import { gridBlocks } from '../print/grid.ts'
import { monteBlocks, runBlocks, type Speed } from '../print/simulate.ts'
import { linksTo, storeRuns } from './simulate-store.ts'
import { type SubjectOptions, subjectIn, warnOfWrites } from './subject.ts'

/** Exit codes of `sim`: they differ from those of threads. */
const EXIT: Readonly<Record<MonteVerdict, number>> = {
  met: 0,
  failed: 1,
  vacuous: 3,
  nondeterministic: 4,
}

interface RunOptions extends SubjectOptions {
  readonly store: string
  readonly thread?: string
  readonly json?: boolean
}

/** Runs one seed, and stores the thread. Exit code 1 if a condition of the oracle does not hold. */
export async function simulateOne(app: App, file: string, options: RunOptions): Promise<number> {
  checkNamed('--thread', options.thread)
  const { scenario, subject, policy, seed } = await subjectIn(file, options)
  await warnOfWrites(app, subject)
  const store = await openStore(options.store)
  try {
    const thread = options.thread ?? (await freeName(store, `${scenario.name}-${policy}-${seed}`))
    if (await store.thread(thread)) throw new ThreadExists(thread)
    const signal = AbortSignal.any([app.signal, app.leave])
    const of = { seed, store, thread, signal }
    const { journal, ...run } = await guardRun(() => simulate(subject, of))
    const next = commandLine(`show ${quoted(thread)}`, options)
    printResult(app, options, { thread, ...run }, () => runBlocks(run, next))
    return run.violations.length > 0 ? EXIT.failed : EXIT.met
  } finally {
    await store.close()
  }
}

/** `storm-default-1`, or `storm-default-1-2` for the second run of the seed: a scenario is edited and run again. */
async function freeName(store: Store, name: string): Promise<string> {
  for (let nth = 1; ; nth++) {
    const free = nth === 1 ? name : `${name}-${nth}`
    if (!(await store.thread(free))) return free
  }
}

interface MonteOptions {
  readonly store: string
  readonly seeds?: string
  /** The files of the reports. */
  readonly report: readonly string[]
  readonly inspector?: string
  readonly workers?: string
  readonly json?: boolean
}

/** Runs many seeds on all cores. */
export async function simulateMany(app: App, file: string, options: MonteOptions): Promise<number> {
  const loaded = await loadScenario(file)
  const { vary, name } = loaded.scenario
  for (const target of options.report) await checkFolder('--report', dirname(target))
  const [tested] = Object.values(loaded.subjects)
  if (tested) await warnOfWrites(app, tested)
  if (vary) return simulateGrid(app, file, { ...options, cells: cellsOf(vary) })
  const writers = writersOf(options, name)
  const { report, speed } = await reportIn(app, file, options)
  if (options.inspector !== undefined) await storeRuns(loaded, report, options.store)
  for (const write of writers) await write(report)
  printResult(app, options, { ...report, speed }, () => monteBlocks(report, speed))
  return EXIT[report.verdict]
}

interface GridOptions extends MonteOptions {
  readonly cells: readonly Cell[]
}

/** Every cell of the grid of a scenario. The exit code is that of the worst cell. */
async function simulateGrid(app: App, file: string, options: GridOptions): Promise<number> {
  const { report: files, cells } = options
  const unfit = files.find(target => !GRID_FORMS[extname(target)])
  if (unfit !== undefined)
    throw new UsageError(
      `--report ${unfit}: expected a file ending in ${Object.keys(GRID_FORMS).join(' or ')}, because the scenario varies`,
    )
  // A path that does not exist is found before the first run.
  for (const cell of cells) await loadScenario(file, cell)
  const grid: GridCell[] = []
  for (const cell of cells) {
    const { report } = await reportIn(app, file, { ...options, cell })
    grid.push({ cell: cellText(cell), report })
  }
  for (const target of files) await writeReport(target, GRID_FORMS[extname(target)]?.(grid) ?? '')
  printResult(app, options, { cells: grid }, () => gridBlocks(grid))
  return Math.max(...grid.map(({ report }) => EXIT[report.verdict]))
}

const GRID_FORMS: Readonly<Record<string, (grid: readonly GridCell[]) => string>> = {
  '.json': grid => `${JSON.stringify(grid, undefined, 2)}\n`,
  '.html': gridReport,
}

async function reportIn(app: App, file: string, options: MonteOptions & { readonly cell?: Cell }) {
  const { cell = {} } = options
  const { scenario, subjects } = await loadScenario(file, cell)
  const plan = planOf(scenario, options.seeds === undefined ? undefined : parseSeeds(options.seeds))
  const workers = options.workers === undefined ? {} : { workers: parseWorkers(options.workers) }
  const done: (readonly [Trial, SimulatedRun])[] = []
  let seconds = 0
  for (let next = nextSeeds(plan, done); next; next = nextSeeds(plan, done)) {
    const look = await runAll(app, trialsOf(plan, next), { file, cell, ...workers })
    for (const run of look.done) done.push(run)
    seconds += look.seconds
  }
  const again = await runAll(app, repeatsOf(plan, done), { file, cell, ...workers })
  const all = [...done, ...again.done]
  const report = await guardRun(() => reportOnTrials(scenario, subjects, all))
  return { report, speed: speedOf(done, seconds) }
}

type Where = Readonly<{ file: string; cell?: Cell; workers?: number }>

async function runAll(app: App, trials: readonly Trial[], where: Where) {
  const done: [Trial, SimulatedRun][] = []
  const since = app.elapsed()
  const onRun = (trial: Trial, run: SimulatedRun) => {
    done.push([trial, run])
    app.status(progressText(done.length, trials.length, app.elapsed() - since))
  }
  const signal = AbortSignal.any([app.signal, app.leave])
  await runTrials(trials, { ...where, signal, onRun })
  return { done: done as Done, seconds: (app.elapsed() - since) / 1_000 }
}

function progressText(done: number, of: number, ms: number): string {
  const left = (ms / done) * (of - done)
  return `${done}/${of} runs, ${Math.round((done / ms) * 1_000)} a second, ${Math.ceil(left / 1_000)} s left`
}

function speedOf(done: Done, seconds: number): Speed {
  const steps = done.reduce((sum, [, { spent }]) => sum + spent.steps, 0)
  return { runs: done.length, steps, seconds }
}

/** @throws UsageError */
function parseSeeds(text: string): Seeds {
  const [, first, last] = /^(\d{1,15})(?:-(\d{1,15}))?$/.exec(text) ?? []
  const [from, to] = last === undefined ? [1, Number(first)] : [Number(first), Number(last)]
  const count = to - from + 1
  if (count >= 1 && count <= SEEDS_MAX) return { from, count }
  throw new UsageError(
    `--seeds '${text}': expected a number from 1 to ${SEEDS_MAX}, or FIRST-LAST of at most as many seeds`,
  )
}

/** The forms of a report, by the ending of its file. */
const FORMS: Readonly<Record<string, (report: MonteReport, linkOf?: LinkOf) => string>> = {
  '.json': report => `${JSON.stringify(report, undefined, 2)}\n`,
  '.html': htmlReport,
  '.md': markdownReport,
  '.xml': junitReport,
}

/** @throws UsageError before the runs, if the report cannot be written in this form */
function writersOf({ report: files, inspector }: MonteOptions, scenario: string) {
  const isLinked = inspector !== undefined
  if (isLinked && !files.some(file => extname(file) === '.html'))
    throw new UsageError(
      '--inspector links the runs of an HTML report: expected --report FILE.html',
    )
  const linkOf = isLinked ? linksTo(inspector, scenario) : undefined
  return files.map(file => {
    const form = FORMS[extname(file)]
    if (!form)
      throw new UsageError(
        `--report ${file}: expected a file ending in ${Object.keys(FORMS).join(', ')}`,
      )
    return (report: MonteReport) => writeReport(file, form(report, linkOf))
  })
}

async function writeReport(file: string, text: string): Promise<void> {
  await writeFile(file, escapeControls(text)).catch(error => {
    throw new UsageError(`--report ${file}: cannot be written: ${error.message}`)
  })
}

export async function schema(app: App): Promise<number> {
  app.out(`${JSON.stringify(scenarioJsonSchema(), undefined, 2)}\n`)
  return EXIT.met
}
