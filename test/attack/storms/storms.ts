/** The attack by storms: random kills, commands, forks and answers around payments that must not be made twice. */
import { setImmediate as nextLoop } from 'node:timers/promises'
import { drive } from '../../../src/runtime/drive/drive.ts'
import { isConflict, type Store } from '../../../src/runtime/store/store.ts'
import { chance } from '../chance.ts'
import type { Progress, Violation } from '../violation.ts'
import { graphOf, KINDS } from './graphs.ts'
import { answerQuestions } from './person.ts'
import { lookOf, payOf } from './tools.ts'
import {
  forkOne,
  portsOf,
  type Process,
  rootsOf,
  submit,
  THREAD,
  type World,
  worldOf,
} from './world.ts'

export interface StormsOptions {
  readonly seed: number
  readonly storms: number
  /** Plays this storm only. */
  readonly storm?: number
  readonly progress?: Progress
}

export interface StormsReport {
  /** The storms of each kind of graph. */
  readonly kinds: Readonly<Record<string, number>>
  readonly payments: number
  readonly forks: number
  readonly violations: readonly Violation[]
}

/** Drives, and what people do in between, in one storm. */
const TURNS = 40
const A_DAY = 90_000_000

export async function attackByStorms(options: StormsOptions): Promise<StormsReport> {
  const { seed, storms, storm: only, progress = () => {} } = options
  const report = { kinds: {} as Record<string, number>, payments: 0, forks: 0 }
  const violations: Violation[] = []
  for (let at = only ?? 0; at < (only === undefined ? storms : only + 1); at++) {
    const { kind, world, broken } = await play(seed, at)
    report.kinds[kind] = (report.kinds[kind] ?? 0) + 1
    report.payments += world.payments.length
    report.forks += world.forks.size
    const repeat = `npm run attack -- --seed ${seed} --storm ${at}`
    for (const rule of broken) violations.push({ rule: [rule, ...world.log].join('\n  '), repeat })
    progress('storms', at + 1, storms)
  }
  return { ...report, violations }
}

async function play(seed: number, storm: number) {
  const draw = chance(`${seed}/storm/${storm}`)
  const world = worldOf(draw)
  const broken: string[] = []
  const tools = { pay: payOf(world, what => void broken.push(what)), look: lookOf(world) }
  const kind = draw.pick(KINDS)
  world.graph = graphOf(world, tools, kind)
  for (let turn = 0; turn < TURNS && broken.length === 0; turn++) {
    await driveOnce(world, turn)
    await answerQuestions(world)
    await intervene(world)
  }
  await nextLoop()
  return { kind, world, broken }
}

/** Drives a thread in a process of its own, until it ends, waits, or the process dies. */
async function driveOnce(world: World, turn: number): Promise<void> {
  const { draw, store, log } = world
  const isNew = (await store.thread(THREAD)) === undefined
  const thread = isNew ? THREAD : draw.pick(rootsOf(world))
  const process: Process = { isDead: false, leave: new AbortController() }
  world.process = process
  const appends = draw.next() < 0.3 ? draw.below(15) : Number.POSITIVE_INFINITY
  const ports = portsOf(
    world,
    mortal(store, process, appends, draw.next() < 0.5),
    `process ${turn}`,
  )
  const start = isNew ? { start: { input: world.inputOf(world.goal), seed: 1 } } : {}
  try {
    const run = await drive(ports, thread, { ...start, leave: process.leave.signal } as never)
    log.push(`${thread} ${run.ended ? `has ended: ${run.ended.outcome}` : 'waits'}`)
  } catch (error) {
    if (!process.isDead && error !== 'left' && !isConflict(error)) throw error
    log.push(`the process of ${thread} has ended`)
  }
}

/** The store of a process that dies at one of its appends, before or after it is stored. */
function mortal(store: Store, process: Process, appends: number, isStored: boolean): Store {
  let left = appends
  const whileAlive = async <T>(work: () => Promise<T>): Promise<T> => {
    if (process.isDead) throw new Error('the process is dead')
    const result = await work()
    if (process.isDead) throw new Error('the process is dead')
    return result
  }
  return {
    ...store,
    async append(...batches) {
      const isLast = left-- === 0
      if (isLast && isStored) await store.append(...batches)
      if (isLast) process.isDead = true
      await whileAlive(() => store.append(...batches))
    },
    inbox: thread => whileAlive(() => store.inbox(thread)),
    rows: (...of) => whileAlive(() => store.rows(...of)),
    release: async lease => (process.isDead ? undefined : store.release(lease)),
  }
}

/** What people do between two drives. */
async function intervene(world: World): Promise<void> {
  const { draw, clock } = world
  const root = draw.pick(rootsOf(world))
  switch (draw.pick(['fork', 'message', 'cancel', 'escape', 'wait', '', '', ''])) {
    case 'fork':
      return forkOne(world)
    case 'message':
      return submit(world, root, { type: 'message', input: world.inputOf(++world.goal) as never })
    case 'cancel':
      return submit(world, root, { type: 'cancel', reason: 'enough' })
    case 'escape':
      return submit(world, root, { type: 'escape', rung: draw.pick(['alternative', 'rollback']) })
    case 'wait':
      return clock.sleep(A_DAY)
    default:
  }
}
