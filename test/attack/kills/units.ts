/** What a worker does to its store, one unit of work after another: every command that writes. */
import { openSync, readdirSync, readFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { readArchive, writeLines } from '../../../src/adapters/node/files.ts'
import { nodeOwner } from '../../../src/adapters/node/ports.ts'
import { FORK_EFFECTS } from '../../../src/core/watch/event/event.ts'
import { machineOfSource } from '../../../src/host/drive/load.ts'
import type { Runtime } from '../../../src/host/runtime.ts'
import type { ThreadHandle } from '../../../src/host/thread/thread.ts'
import { importThreads } from '../../../src/runtime/drive/copy.ts'
import type { Graph } from '../../../src/runtime/ports.ts'
import { archiveLines } from '../../../src/runtime/store/archive.ts'
import { parseArchive } from '../../../src/runtime/store/archive-parser.ts'
import type { Store, ThreadSummary } from '../../../src/runtime/store/store.ts'
import type { Chance } from '../chance.ts'
import { answerAll } from './person.ts'
import type { Shop } from './shop.ts'

export interface Desk {
  readonly folder: string
  readonly store: Store
  readonly shop: Shop
  readonly runtime: Runtime
  readonly graph: Graph
  readonly chance: Chance
  readonly patient: boolean
  /** A name that no other process uses. */
  readonly newName: (kind: string) => string
}

/** Each unit with its weight. */
export const UNITS = {
  run: [6, run],
  answer: [4, answer],
  fork: [3, fork],
  policy: [2, policy],
  export: [2, exportThread],
  import: [3, importThread],
  send: [2, send],
  cancel: [1, cancel],
} as const satisfies Record<string, readonly [number, (desk: Desk) => Promise<unknown>]>

type Unit = keyof typeof UNITS

const ENDING = '.units'

/** Does one unit after the other, and records the beginning and the end of each. */
export function doUnits(desk: Desk, process: string): () => Promise<void> {
  const file = openSync(join(desk.folder, `${process}${ENDING}`), 'a')
  const names = Object.entries(UNITS).flatMap(([name, [weight]]) => Array(weight).fill(name))
  return async () => {
    const name: Unit = desk.chance.pick(names)
    writeSync(file, `${name}\n`)
    await UNITS[name][1](desk).finally(() => writeSync(file, `-${name}\n`))
  }
}

/** The units that a kill interrupted, with their numbers. */
export function interruptedIn(folder: string): Readonly<Record<string, number>> {
  const open: Record<string, number> = {}
  for (const name of readdirSync(folder).filter(file => file.endsWith(ENDING)))
    for (const line of readFileSync(join(folder, name), 'utf8').split('\n').filter(Boolean)) {
      const unit = line.replace('-', '')
      open[unit] = (open[unit] ?? 0) + (line === unit ? 1 : -1)
    }
  return open
}

async function run(desk: Desk): Promise<void> {
  const thread = desk.newName('order')
  await desk.runtime.start(desk.graph, { goal: thread }, { thread })
  const handle = desk.runtime.thread(thread)
  for await (const { type } of handle.events()) {
    if (type !== 'question') continue
    await answerAll(handle, desk.shop, desk)
    break
  }
}

async function answer(desk: Desk): Promise<void> {
  const found = await some(desk, ({ status }) => status === 'waiting')
  if (found) await answerAll(found, desk.shop, desk)
}

async function fork(desk: Desk): Promise<void> {
  const found = await some(desk, () => true)
  if (!found) return
  const { seq } = await found.state()
  const effects = desk.chance.pick(FORK_EFFECTS)
  const as = desk.newName('fork')
  const handle = await found.fork({ as, effects, at: desk.chance.below(seq + 1) })
  await handle.resume()
}

async function policy(desk: Desk): Promise<void> {
  const found = await some(desk, ({ status }) => status !== 'ended')
  await found?.changePolicy({ limits: { steps: 60 + desk.chance.below(30) } })
}

async function exportThread(desk: Desk): Promise<void> {
  const found = await some(desk, ({ thread }) => !thread.includes('/'))
  if (!found) return
  const file = join(desk.folder, `${desk.newName('file')}.escapement.gz`)
  await writeLines(file, archiveLines(desk.store, found.id), { pack: true })
}

async function importThread(desk: Desk): Promise<void> {
  const files = readdirSync(desk.folder).filter(name => name.endsWith('.escapement.gz'))
  if (files.length === 0) return
  const archive = await parseArchive(readArchive(join(desk.folder, desk.chance.pick(files))))
  const ports = { ...nodeOwner(), store: desk.store, machineOf: machineOfSource }
  await importThreads(ports, archive, desk.newName('import'))
}

async function send(desk: Desk): Promise<void> {
  const found = await some(desk, ({ graph }) => graph === 'order')
  await found?.send({ goal: 'once more' })
}

async function cancel(desk: Desk): Promise<void> {
  const found = await some(desk, ({ status, graph }) => graph === 'order' && status !== 'ended')
  await found?.cancel('no longer needed')
}

async function some(
  { store, runtime, chance }: Desk,
  fits: (of: ThreadSummary) => boolean,
): Promise<ThreadHandle | undefined> {
  const fitting = (await store.threads()).filter(fits)
  return fitting.length === 0 ? undefined : runtime.thread(chance.pick(fitting).thread)
}
