/** One way to run an agent, and what a run shows. */
import type { WatchdogRow } from '../../src/core/watch/wrapped/state.ts'
import { watchdog } from '../../src/core/watch/wrapped/watchdog.ts'
import type { Calling } from '../../src/runtime/ports.ts'
import { faultsOfSeed } from '../../src/simulate/inject/decide.ts'
import { Injector } from '../../src/simulate/inject/injector.ts'
import { executeWith } from '../../src/simulate/inject/tool-effects.ts'
import { virtualClock } from '../../src/testing/clock.ts'
import { chanceOf, DONE, GIVEN_UP, type Move, type View } from './agent.ts'
import type { Cell } from './cell.ts'
import { ASKS_AGAIN, type Worker, type World } from './task.ts'

/** What one run shows. */
export interface Trial {
  /** It reports success. */
  readonly claimed: boolean
  /** The task is done as it should be. */
  readonly correct: boolean
  /** Attempts of tools. */
  readonly calls: number
  readonly usd: number
  /** A failure, a finding or a rejection was seen before the end. */
  readonly detected: boolean
  readonly verified: boolean
}

export interface Arm {
  readonly name: string
  run(cell: Cell, seed: number): Promise<Trial>
}

/** Tokens and price of a call, the same everywhere. */
export const USAGE = { input: 1_000, output: 100, cached: 0 }
export const PRICE = { input: 0.15, output: 0.6 }
const USD_OF_CALL = (USAGE.input * PRICE.input + USAGE.output * PRICE.output) / 1e6

/** The most model calls of one agent, for frameworks with or without a limit of their own. */
export const TURNS = 20
/** The most times that two agents hand over. */
const HANDOVERS = 6

/** A talk of one agent with the model and the tools of a run. */
export interface Talk {
  readonly worker: Worker
  readonly opening: string
  readonly tools: Readonly<Record<string, (args: unknown) => Promise<string>>>
  readonly move: (view: View) => Move
  readonly substitutes: Readonly<Record<string, string>>
}

/** The options of the watchdog. */
export interface Guarding {
  readonly substitutes: Readonly<Record<string, string>>
  readonly now: () => number
  readonly record: (row: WatchdogRow) => void
}

/** Runs one agent, bare or wrapped, and returns its last text; an error or a limit has none. */
export interface Loop {
  readonly name: string
  talk(talk: Talk, guard: Guarding | undefined): Promise<string | undefined>
}

/** A loop of a framework as an arm of the grid. */
export function armOf(loop: Loop, isWrapped: boolean): Arm {
  return {
    name: `${loop.name}${isWrapped ? ', wrapped' : ''}`,
    async run(cell, seed) {
      const { task } = cell
      const world = task.world(seed)
      const counts = { modelCalls: 0, detected: false }
      const { tools, calls } = injectedTools(cell, world, seed)
      const move = (worker: Worker) => (view: View) => {
        counts.modelCalls++
        counts.detected ||= view.seen.some(of => of.kind === 'note' || of.value === undefined)
        counts.detected ||= view.seen.some(isFailedAudit)
        return worker.decide(seed)(view, chanceOf(seed, worker.name, view))
      }
      const substitutes = task.isSubstitute ? { [task.main]: task.backup } : {}
      let time = 0
      const record = ({ findings }: WatchdogRow) => {
        counts.detected ||= findings.length > 0
      }
      const guard = isWrapped ? { substitutes, now: () => ++time, record } : undefined
      const talk = (worker: Worker, more: string) => {
        const own = Object.fromEntries(worker.tools.map(name => [name, tools[name]]))
        const opening = [worker.goal, more].filter(Boolean).join('\n\n')
        return loop.talk(
          { worker, opening, tools: own as Talk['tools'], move: move(worker), substitutes },
          guard,
        )
      }
      const said = await converse(task.workers, talk)
      return {
        claimed: said?.startsWith(DONE) ?? false,
        correct: world.correct(),
        calls: calls(),
        usd: counts.modelCalls * USD_OF_CALL,
        detected: counts.detected,
        verified: world.verified(),
      }
    },
  }
}

const isFailedAudit = (of: View['seen'][number]): boolean =>
  of.kind === 'result' && of.tool === 'audit' && JSON.stringify(of.value).includes('false')

/** One agent, or two in turn, until one of them ends or the limit is reached. */
async function converse(
  [first, second]: readonly [Worker] | readonly [Worker, Worker] | readonly Worker[],
  talk: (worker: Worker, more: string) => Promise<string | undefined>,
): Promise<string | undefined> {
  if (!first) return undefined
  if (!second) return talk(first, '')
  let note = ''
  for (let turn = 0; turn < HANDOVERS; turn++) {
    const found = await talk(first, note)
    const said = await talk(second, `found: ${found ?? GIVEN_UP}`)
    if (said === undefined || !said.startsWith(ASKS_AGAIN)) return said
    note = `note: ${said}`
  }
  return undefined
}

/** The tools of a run with the faults of the cell, as texts. */
function injectedTools({ scenario }: Cell, world: World, seed: number) {
  const clock = virtualClock(0)
  const injector = new Injector({ decide: faultsOfSeed(scenario, seed), clock, seed })
  const call = { sleep: async () => {} } as unknown as Calling
  let calls = 0
  const tools = Object.entries(world.tools).map(([name, tool]) => {
    const earlier = new Map()
    const run = async (args: unknown): Promise<string> => {
      calls++
      const met = injector.meet('tool', name, { node: name, visit: 1, attempt: 1, effects: 'read' })
      const work = { args: args as never, call, earlier }
      return JSON.stringify(await executeWith(met, work, async () => tool(args as never)))
    }
    return [name, run] as const
  })
  return { tools: Object.fromEntries(tools), calls: () => calls }
}

/** The watchdog of a loop by hand. */
export const guardOf = ({ substitutes, record }: Guarding) => watchdog({ substitutes, record })

/** A result as the model reads it: a map, or a failure. */
export function resultOf(tool: string, text: string): View['seen'][number] {
  try {
    const value = JSON.parse(text)
    const isValue = typeof value === 'object' && value !== null && !('error' in value)
    return isValue ? { kind: 'result', tool, value } : { kind: 'result', tool }
  } catch {
    return { kind: 'result', tool }
  }
}
