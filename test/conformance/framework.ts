/** A framework that runs a scenario, bare or watched. */
import type { DogOptions } from '../../src/core/watch/dog/dog.ts'
import type { DogRow } from '../../src/core/watch/dog/state.ts'
import type { Said, Scenario, Scene } from './scenario.ts'

export interface Framework {
  readonly name: string
  run(scenario: Scenario, watched: Watched | undefined): Promise<Outcome>
}

/** How it is to be watched. */
export interface Watched {
  readonly options: Omit<DogOptions, 'state' | 'can' | 'record'>
  readonly now: () => number
}

export interface Outcome {
  readonly modelCalls: number
  readonly executions: number
  readonly ended: string
  readonly rows: readonly DogRow[]
  /** Calls of the model before the watchdog first stepped in. */
  readonly before?: number
}

/** A scenario under way: counts what the framework does. */
export class Counted {
  modelCalls = 0
  executions = 0
  before: number | undefined
  readonly rows: DogRow[] = []
  readonly #scene: Scene

  constructor({ make }: Scenario) {
    this.#scene = make()
  }

  readonly record = (row: DogRow): void => {
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
