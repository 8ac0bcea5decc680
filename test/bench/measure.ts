/** Measures after a warm-up, in alternating rounds, which spreads noise over all candidates. */
import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

/** Something to be measured; returns what one round of it came to. */
export type Trial = (round: number) => Promise<number>

/** The median of each trial. Rounds go A B A B …; those of the warm-up do not count. */
export async function interleaved<Name extends string>(
  trials: Readonly<Record<Name, Trial>>,
  { rounds, warmUp = 1 }: { rounds: number; warmUp?: number },
): Promise<Record<Name, number>> {
  const entries = Object.entries<Trial>(trials).map(([name, trial]) => ({
    name,
    trial,
    values: [] as number[],
  }))
  for (let round = -warmUp; round < rounds; round++) {
    for (const { trial, values } of entries) {
      const value = await trial(round + warmUp)
      if (round >= 0) values.push(value)
    }
  }
  return Object.fromEntries(entries.map(({ name, values }) => [name, median(values)])) as Record<
    Name,
    number
  >
}

/** How long work takes, in ms. */
export async function timed(work: () => unknown): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5)
}

/** The smallest value that at least this share of the values does not exceed. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = Float64Array.from(values).sort()
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN
}

export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

/** Flushes pending disk writes, which would distort the next measurement. Does nothing where `sync` is missing. */
export async function quietDisk(): Promise<void> {
  await promisify(execFile)('sync').catch(() => {})
}

/** Work in a folder that goes away with it. */
export async function inFolder<R>(work: (folder: string) => Promise<R>): Promise<R> {
  const folder = await mkdtemp(join(tmpdir(), 'escapement-bench-'))
  try {
    return await work(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
