/** Starts processes on a store, and kills them at a random moment. */
import { setTimeout as pause } from 'node:timers/promises'
import { LEASE } from '../../../src/runtime/store/lease.ts'
import type { ThreadSummary } from '../../../src/runtime/store/store.ts'
import { here, type Running, start, startEscapement } from '../../durability/process.ts'
import type { Chance } from '../chance.ts'
import { COMMANDS, commandLine } from './commands.ts'
import type { Work } from './worker.ts'

export interface Setting {
  readonly folder: string
  /** The threads that the store holds before. */
  readonly threads: readonly ThreadSummary[]
  readonly chance: Chance
  readonly name: string
}

export interface Death {
  /** What was killed. A process that ended before does not count. */
  readonly kills: readonly string[]
  /** What processes reported although they should have died silently. */
  readonly errors: readonly string[]
}

/** How processes die. */
export const WAYS = {
  service: oneService,
  pair: twoServices,
  terminated: terminatedService,
  stopped: stoppedService,
  command: oneCommand,
} as const satisfies Record<string, (setting: Setting) => Promise<Death>>

export type Way = keyof typeof WAYS

export function die(way: Way, setting: Setting): Promise<Death> {
  return WAYS[way](setting)
}

/** The next process of the service, which finishes all threads. Returns its errors. */
export async function restart(folder: string): Promise<readonly string[]> {
  const { err } = await start([FINISH, folder], { env: { SHOP: folder } }).ended
  return err === '' ? [] : [err]
}

const WORKER = here('../attack/kills/worker.ts')
const FINISH = here('../attack/kills/finish.ts')
/** The latest moment of a kill in ms: of a service after it is ready, of a command after its start. */
const SERVICE_LIVES = 350
const COMMAND_LIVES = 700
/** A service that receives SIGTERM ends within this time, in ms, also while the disk of a busy machine stalls. */
const LEAVES_WITHIN = 60_000

async function startService({ folder, name, chance }: Setting, patient = false) {
  const work: Work = { folder, name: `${name}-${chance.below(1_000_000)}`, patient }
  const service = start([WORKER, JSON.stringify(work)], { env: { SHOP: folder } })
  await service.line('ready')
  return service
}

/** Kills it, unless it has ended. */
async function kill({ child, ended }: Running, kind: string): Promise<Death> {
  child.kill('SIGKILL')
  const { signal, code, err } = await ended
  const early = signal === 'SIGKILL' ? [] : [`it ended with ${code ?? signal}`]
  return { kills: signal === 'SIGKILL' ? [kind] : [], errors: err === '' ? early : [err] }
}

async function oneService(setting: Setting): Promise<Death> {
  const service = await startService(setting)
  await pause(setting.chance.next() * SERVICE_LIVES)
  return kill(service, 'service')
}

async function twoServices(setting: Setting): Promise<Death> {
  const { chance, name } = setting
  const lives = ['a', 'b'].map(
    each => [`${name}${each}`, chance.next() * 2 * SERVICE_LIVES] as const,
  )
  const deaths = lives.map(async ([name, life]) => {
    const service = await startService({ ...setting, name })
    await pause(life)
    return kill(service, 'pair')
  })
  return together(await Promise.all(deaths))
}

async function terminatedService(setting: Setting): Promise<Death> {
  const { child, ended } = await startService(setting)
  await pause(setting.chance.next() * SERVICE_LIVES)
  child.kill('SIGTERM')
  const late = pause(LEAVES_WITHIN, 'late' as const, { ref: false })
  const said = await Promise.race([ended, late])
  if (said === 'late') child.kill('SIGKILL')
  const { code, signal, err } = await ended
  const fault =
    said === 'late' ? `did not end within ${LEAVES_WITHIN} ms` : `ended with ${code ?? signal}`
  const errors = code === 143 ? [err] : [err, `it ${fault} after SIGTERM`]
  return { kills: ['terminated'], errors: errors.filter(Boolean) }
}

/** The first service is suspended past its lease. Its successor works on its threads; then the first one continues. */
async function stoppedService(setting: Setting): Promise<Death> {
  const { chance, name } = setting
  const first = await startService({ ...setting, name: `${name}a` }, true)
  await pause(chance.next() * SERVICE_LIVES)
  first.child.kill('SIGSTOP')
  await pause(LEASE + 500)
  const second = await startService({ ...setting, name: `${name}b` }, true)
  await pause(700 + chance.next() * SERVICE_LIVES)
  first.child.kill('SIGCONT')
  await pause(SERVICE_LIVES)
  const deaths = await Promise.all([kill(second, 'successor'), kill(first, 'stopped')])
  return together(deaths)
}

async function oneCommand(setting: Setting): Promise<Death> {
  const { chance, folder } = setting
  const command = chance.pick(Object.keys(COMMANDS))
  const args = commandLine(setting, command)
  if (args === undefined) return oneService(setting)
  const running = startEscapement(args, { env: { SHOP: folder } })
  await Promise.race([pause(60 + chance.next() * COMMAND_LIVES), running.ended])
  running.child.kill('SIGKILL')
  const { signal, err } = await running.ended
  const crash = /^\s+at /m.test(err) ? [err] : []
  return { kills: signal === 'SIGKILL' ? [`escapement ${command}`] : [], errors: crash }
}

function together(deaths: readonly Death[]): Death {
  return {
    kills: deaths.flatMap(({ kills }) => kills),
    errors: deaths.flatMap(({ errors }) => errors),
  }
}
