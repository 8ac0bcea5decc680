/** Measures all contestants in one process, by turns, against a Postgres server that flushes each commit. */
import { interleaved, quietDisk, timed } from '../measure.ts'
import { loop, xstate } from './bare.ts'
import type { Contestant } from './contestant.ts'
import { dbos } from './dbos.ts'
import { graphOf as langGraphOf, langGraphs } from './langgraph.ts'
import { compiledInLangGraph, inLangGraph, memory, postgres, sqlite } from './ours.ts'
import { type WorkerRates, workerRates } from './workers.ts'

/** The numbers of steps, and how often each is measured. */
export const LENGTHS = [10, 100, 400, 1_000, 10_000] as const
const ROUNDS: Readonly<Record<number, number>> = { 10: 3, 100: 2, 400: 2, 1000: 1, 10000: 1 }

/** A run that would take longer than this many ms is left out. */
const LONGEST_RUN = 40_000

/** The work of a node in µs, and the steps, by which the host in LangGraph is measured. */
const WORK = 200
const HOST_STEPS = 400

export interface Line {
  readonly name: string
  readonly survives: Contestant['survives']
  /** µs of one step, by the number of steps. */
  readonly step: ReadonlyMap<number, number>
  /** Of the longest run: its steps, the bytes it stored, and the ms to read it again. */
  readonly longest: Readonly<{ steps: number; bytes?: number; resume?: number }>
}

export interface HostResults {
  readonly lines: readonly Line[]
  /** µs of a step in LangGraph at 200 µs of work: without escapement and with it. */
  readonly host: Readonly<{ bare: number; ours: number }>
  readonly workers: readonly WorkerRates[]
}

export async function measureHosts(url: string): Promise<HostResults> {
  const engine = await dbos(url)
  try {
    const contestants = [
      ...[loop, xstate, ...langGraphs(url), engine],
      ...[memory, inLangGraph, sqlite, postgres(url)],
    ]
    const lines = await measureLines(contestants)
    return { lines, host: await measureHost(), workers: await workerRates(url) }
  } finally {
    await engine.end()
  }
}

async function measureLines(contestants: readonly Contestant[]): Promise<readonly Line[]> {
  const steps = new Map(contestants.map(({ name }) => [name, new Map<number, number>()]))
  const longest = new Map<string, Line['longest']>()
  for (const length of LENGTHS) {
    const fitting = contestants.filter(({ name, longest: limit = Number.POSITIVE_INFINITY }) => {
      const last = [...(steps.get(name)?.values() ?? [])].at(-1) ?? 0
      return length <= limit && (last * length) / 1_000 <= LONGEST_RUN
    })
    const trials = fitting.map(contestant => [
      contestant.name,
      async () => {
        const { ms, ...last } = await measureOnce(contestant, length)
        longest.set(contestant.name, last)
        return (ms * 1_000) / length
      },
    ])
    const rounds = ROUNDS[length] ?? 1
    const medians = await interleaved(Object.fromEntries(trials), {
      rounds,
      warmUp: length < 400 ? 1 : 0,
    })
    for (const [name, value] of Object.entries(medians))
      steps.get(name)?.set(length, value as number)
  }
  return contestants.map(({ name, survives }) => ({
    ...{ name, survives },
    step: steps.get(name) ?? new Map(),
    longest: longest.get(name) ?? { steps: 0 },
  }))
}

async function measureOnce({ prepare, run }: Contestant, steps: number) {
  await prepare?.()
  await quietDisk()
  let ended: Awaited<ReturnType<typeof run>> = {}
  const ms = await timed(async () => {
    ended = await run({ steps, work: 0 })
  })
  const { bytes, resume, close } = ended
  try {
    const size = await bytes?.()
    const again = resume && (await interleaved({ ms: () => timed(resume) }, { rounds: 3 })).ms
    return { ms, steps, ...(size && { bytes: size }), ...(again && { resume: again }) }
  } finally {
    await close?.()
  }
}

/** The same loop as a graph of LangGraph, and as a graph of ours in LangGraph. Each is compiled once, as in a service. */
async function measureHost(): Promise<HostResults['host']> {
  const agent = { steps: HOST_STEPS, work: WORK }
  const perStep = async (work: () => Promise<unknown>) => ((await timed(work)) * 1_000) / HOST_STEPS
  const options = { recursionLimit: HOST_STEPS + 10 }
  const bare = langGraphOf(agent)
  const ours = compiledInLangGraph(agent)
  return interleaved(
    {
      bare: () => perStep(() => bare.invoke({}, options)),
      ours: () => perStep(ours),
    },
    { rounds: 5, warmUp: 2 },
  )
}
