/** The attack by kills: many stores, on each a series of processes that are killed. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Chance, chance } from '../chance.ts'
import type { Progress, Tried, Violation } from '../violation.ts'
import type { Way } from './deaths.ts'
import { type Episode, playEpisode } from './episode.ts'

export interface KillsOptions {
  readonly seed: number
  readonly kills: number
  /** Plays this episode only. */
  readonly episode?: number
  readonly progress?: Progress
}

export interface KillsReport {
  readonly kills: readonly Tried[]
  readonly interrupted: readonly Tried[]
  readonly threads: number
  readonly rows: number
  readonly writes: number
  readonly violations: readonly Violation[]
}

/** Episodes at once. Their processes wait for one another on a machine with few cores. */
const LANES = 3
/** Processes that die in one episode. */
const STEPS = 8
const WEIGHTS: readonly Way[] = [
  ...(['service', 'service', 'service', 'service'] as const),
  ...(['pair', 'pair', 'terminated'] as const),
  ...(['command', 'command', 'command'] as const),
]
/** One episode in so many suspends a service past its lease, which takes 20 seconds of waiting. */
const STOPPED_EVERY = 6

/** The deaths of an episode. */
function waysOf(episode: number, draw: Chance): readonly Way[] {
  if (episode % STOPPED_EVERY === 0) return ['service', 'stopped', 'service']
  return Array.from({ length: STEPS }, () => draw.pick(WEIGHTS))
}

export async function attackByKills(options: KillsOptions): Promise<KillsReport> {
  const { seed, kills, progress = () => {} } = options
  const played: Episode[] = []
  const violations: Violation[] = []
  let next = options.episode ?? 0
  const killed = () => sum(played.flatMap(each => Object.values(each.kills)))
  const lane = async () => {
    while (killed() < kills && violations.length === 0) {
      const episode = next++
      const result = await playOne(seed, episode)
      played.push(result.episode)
      violations.push(...result.violations)
      progress('kills', Math.min(killed(), kills), kills)
      if (options.episode !== undefined) return
    }
  }
  const lanes = options.episode === undefined ? LANES : 1
  await Promise.all(Array.from({ length: lanes }, lane))
  const total = (of: (episode: Episode) => number) => sum(played.map(of))
  return {
    kills: tally(played.map(each => each.kills)),
    interrupted: tally(played.map(each => each.interrupted)),
    threads: total(({ threads }) => threads),
    rows: total(({ rows }) => rows),
    writes: total(({ writes }) => writes),
    violations,
  }
}

async function playOne(seed: number, episode: number) {
  const folder = mkdtempSync(join(tmpdir(), 'escapement-attack-'))
  const draw = chance(`${seed}/kills/${episode}`)
  const result = await playEpisode(folder, waysOf(episode, draw), draw)
  const isHeld = result.broken.length === 0
  if (isHeld) rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  const repeat = `npm run attack -- --seed ${seed} --episode ${episode} (the store is kept in ${folder})`
  return { episode: result, violations: result.broken.map(rule => ({ rule, repeat })) }
}

function tally(all: readonly Readonly<Record<string, number>>[]): readonly Tried[] {
  const total = new Map<string, number>()
  for (const [what, times] of all.flatMap(each => Object.entries(each)))
    total.set(what, (total.get(what) ?? 0) + times)
  return [...total]
    .map(([what, times]) => ({ what, times }))
    .sort((a, b) => (a.what < b.what ? -1 : 1))
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, each) => all + each, 0)
}
