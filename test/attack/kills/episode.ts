/** One store, several processes that are killed on it one after another, and the rules after each death and at the end. */
import type { Row } from '../../../src/core/run/run.ts'
import type { Chance } from '../chance.ts'
import { cutArchives } from './archives.ts'
import { die, restart, type Way } from './deaths.ts'
import { orderGraph, storeIn } from './graphs.ts'
import * as rules from './rules.ts'
import { shopIn } from './shop.ts'
import { interruptedIn } from './units.ts'
import { acknowledgedIn } from './witness.ts'

export interface Episode {
  /** Kills by their way, and kills of commands by their names. */
  readonly kills: Readonly<Record<string, number>>
  /** Units of work of services that a kill interrupted. */
  readonly interrupted: Readonly<Record<string, number>>
  readonly threads: number
  readonly rows: number
  readonly writes: number
  readonly broken: readonly string[]
}

export async function playEpisode(
  folder: string,
  ways: readonly Way[],
  chance: Chance,
): Promise<Episode> {
  const graph = await orderGraph()
  const graphs = [graph, ...Object.values(graph.graphs ?? {})]
  const scene = {
    store: storeIn(folder),
    shop: shopIn(folder),
    graphs: new Map(graphs.map(each => [each.machine.id, each])),
    journals: new Map<string, readonly Row[]>(),
  }
  const kills: Record<string, number> = {}
  const broken: string[] = []
  const note = (after: string, found: readonly string[]) =>
    broken.push(...found.map(each => `${after}: ${each}`))
  for (const [step, way] of ways.entries()) {
    const threads = await scene.store.threads()
    const died = await die(way, { folder, threads, chance: chance.of(step), name: `${step}` })
    for (const kind of died.kills) kills[kind] = (kills[kind] ?? 0) + 1
    note(way, died.errors)
    note(way, await check(scene, folder))
    if (broken.length > 0) break
  }
  if (broken.length === 0) {
    note('restart', await restart(folder))
    note('restart', await check(scene, folder))
    note('restart', await rules.unfinishedThreads(scene))
  }
  const rows = [...scene.journals.values()].reduce((all, { length }) => all + length, 0)
  const writes = scene.shop.writes().length
  await scene.store.close()
  scene.shop.close()
  const interrupted = interruptedIn(folder)
  return { kills, interrupted, threads: scene.journals.size, rows, writes, broken }
}

async function check(scene: rules.Scene, folder: string): Promise<readonly string[]> {
  const changed = await rules.readJournals(scene)
  return [
    ...(await rules.lostWrites(scene, acknowledgedIn(folder))),
    ...(await rules.brokenJournals(scene, changed)),
    ...rules.repeatedWrites(scene),
    ...(await rules.lostThreads(scene)),
    ...(await cutArchives(folder)),
  ]
}
