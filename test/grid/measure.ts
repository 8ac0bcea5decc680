/** Runs every cell with every arm, on the same seeds. */
import { wilson, type Rate } from '../../src/simulate/statistics/interval.ts'
import { aiSdk } from './ai-sdk.ts'
import { type Arm, armOf, type Trial } from './arm.ts'
import type { Cell } from './cell.ts'
import { langchain } from './langchain.ts'
import { langGraph } from './langgraph.ts'
import { openAiAgents } from './openai-agents.ts'
import { ours } from './ours.ts'
import { plain } from './plain.ts'

export const ARMS: readonly Arm[] = [
  ours('bare'),
  ours('ladder'),
  ours('gate'),
  ...[plain, langchain, langGraph, aiSdk, openAiAgents].flatMap(loop => [
    armOf(loop, false),
    armOf(loop, true),
  ]),
]

/** The figures of one arm in some cells. */
export interface Figures {
  readonly recovery: Rate
  readonly silentlyWrong: Rate
  readonly detected: Rate
  /** Of the runs that report success: those whose result was checked. */
  readonly verified: Rate
  /** Of the runs without success: those that do not report success. */
  readonly disclosed: Rate
  /** Means: all runs are paid for. */
  readonly calls: number
  readonly usd: number
}

export function figuresOf(trials: readonly Trial[]): Figures {
  const rate = (of: readonly Trial[], test: (trial: Trial) => boolean) =>
    wilson(of.filter(test).length, of.length)
  const mean = (value: (trial: Trial) => number) =>
    trials.reduce((sum, trial) => sum + value(trial), 0) / Math.max(1, trials.length)
  const isRecovered = ({ claimed, correct }: Trial) => claimed && correct
  return {
    recovery: rate(trials, isRecovered),
    silentlyWrong: rate(trials, ({ claimed, correct }) => claimed && !correct),
    detected: rate(trials, ({ detected }) => detected),
    verified: rate(
      trials.filter(({ claimed }) => claimed),
      ({ verified }) => verified,
    ),
    disclosed: rate(
      trials.filter(trial => !isRecovered(trial)),
      ({ claimed }) => !claimed,
    ),
    calls: mean(({ calls }) => calls),
    usd: mean(({ usd }) => usd),
  }
}

export interface Measured {
  readonly cell: Cell
  readonly arm: string
  readonly trials: readonly Trial[]
}

export async function measureCell(cell: Cell, arm: Arm, seeds: number): Promise<Measured> {
  const trials: Trial[] = []
  for (let seed = 1; seed <= seeds; seed++) trials.push(await arm.run(cell, seed))
  return { cell, arm: arm.name, trials }
}
