/** A framework that runs a scenario, bare or watched. */
import type { WatchdogOptions } from '../../src/core/watch/wrapped/options.ts'
import type { WatchdogRow } from '../../src/core/watch/wrapped/state.ts'
import type { Said, Scenario, Scene } from './scenario.ts'

export interface Framework {
  readonly name: string
  run(scenario: Scenario, watched: WrappedRun | undefined): Promise<Outcome>
}

/** The options of the watchdog. */
export interface WrappedRun {
  readonly options: Omit<WatchdogOptions, 'state' | 'can' | 'record'>
  readonly now: () => number
}

export interface Outcome {
  readonly modelCalls: number
  readonly executions: number
  readonly ended: string
  readonly rows: readonly WatchdogRow[]
  /** Model calls before the first intervention. */
  readonly before?: number
}

/** A running scenario: counts calls and executions. */
export class Counted {
  modelCalls = 0
  executions = 0
  before: number | undefined
  readonly rows: WatchdogRow[] = []
  readonly #scene: Scene

  constructor({ make }: Scenario) {
    this.#scene = make()
  }

  readonly record = (row: WatchdogRow): void => {
    this.rows.push(row)
    if (row.verdict.kind === 'escape') this.before ??= this.modelCalls
  }

  say(): Said {
    this.modelCalls++
    return this.#scene.say()
  }

  get tools(): Readonly<Record<string, (args: unknown) => string>> {
    const counted = Object.entries(this.#scene.tools).map(([name, tool]) => [
      name,
      (args: unknown) => {
        this.executions++
        return tool(args as Readonly<Record<string, unknown>>)
      },
    ])
    return Object.fromEntries(counted)
  }

  outcome(ended: string): Outcome {
    const { modelCalls, executions, rows, before } = this
    return { modelCalls, executions, ended, rows, ...(before === undefined ? {} : { before }) }
  }
}
