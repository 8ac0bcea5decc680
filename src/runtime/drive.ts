/** Our own host: takes the lease of a thread and carries it on until it ends, or waits for a person. */
import type { Effect } from '../core/effects.ts'
import { type Run, runnable, unborn } from '../core/run.ts'
import type { PersonEvent, Stamped } from '../core/watch/event.ts'
import type { Json } from '../core/watch/json.ts'
import { EYES_VERSION } from '../core/watch/detectors.ts'
import { alarmsOf } from './alarms.ts'
import { type Journal, journalOf } from './journal.ts'
import { Leave } from './leave.ts'
import type { Ports } from './ports.ts'
import { refusalOf } from './refusal.ts'
import { replay } from './replay.ts'
import { steadyClock } from './steady.ts'
import { type Lease, UnknownThread } from './store.ts'
import { turn } from './turn.ts'

export interface Opening {
  /** What a thread that does not exist yet begins with; one that exists goes on. */
  readonly start?: { readonly input: Json; readonly seed: number }
  /** Aborted: the thread is cancelled, with the signal's reason. */
  readonly signal?: AbortSignal
}

/** The version of the meaning of journals. */
export const VERSION = '0.1.0'

/** How long a lease lasts without being renewed, in ms. It is renewed at a third of that. */
export const LEASE = 15_000

/**
 * @throws Conflict while another process drives the thread: nothing has been performed then.
 * @throws InvalidInput, UnknownThread, Nondeterministic
 */
export async function drive(ports: Ports, thread: string, { start, signal }: Opening = {}): Promise<Run> {
  const { store, clock } = ports
  const now = clock.now()
  const lease = await store.lease(thread, { owner: ports.owner, now, until: now + LEASE, dead: ports.dead })
  try {
    const found = await replay(ports.graph.machine, store, thread)
    if (!found && !start) throw new UnknownThread(thread)
    const steady = { ...ports, clock: steadyClock(clock, found?.at) }
    const journal = await opened(steady, lease, found, start)
    return await driven(steady, journal, { thread, performed: new Set(found?.pending.map(({ id }) => id)), signal })
  } finally {
    await store.release(lease)
  }
}

export class InvalidInput extends Error {
  override readonly name = 'InvalidInput'
}

function checkInput({ graph }: Ports, input: Json): void {
  const faults = graph.machine.checkInput(input)
  if (faults.length > 0) throw new InvalidInput(faults.map(({ path, message }) => `${path} ${message}`).join('; '))
}

async function opened(ports: Ports, lease: Lease, found: Run | undefined, start: Opening['start']): Promise<Journal> {
  const { machine, source } = ports.graph
  if (found || !start) return journalOf(ports, lease, found as Run)
  checkInput(ports, start.input)
  await ports.store.keep(machine.hash, source)
  const first = {
    type: 'thread.started' as const,
    input: ports.redact(start.input),
    seed: start.seed,
    specHash: machine.hash,
    policy: machine.policy,
    versions: { escapement: VERSION, detectors: EYES_VERSION },
  }
  const journal = journalOf(ports, lease, unborn({ ...first, at: ports.clock.now() } as Stamped<typeof first>))
  journal.take(first)
  return journal
}

interface Driving {
  readonly thread: string
  readonly performed: Set<string>
  readonly signal: AbortSignal | undefined
}

async function driven(ports: Ports, journal: Journal, { thread, performed, signal }: Driving): Promise<Run> {
  const lost = new Leave()
  const alarms = alarmsOf(ports.clock)
  const cancel = () => {
    if (!journal.run.ended) journal.take({ type: 'cancel', reason: String((signal?.reason as Error | undefined)?.message ?? 'cancelled') })
  }
  const still = ports.pulse(() => {
    beat(ports, journal).catch(error => lost.leave(error))
  })
  signal?.addEventListener('abort', cancel, { once: true })
  if (signal?.aborted) cancel()
  try {
    tickDue(ports, journal)
    await takeInbox(ports, journal)
    while (!journal.run.ended) {
      lost.stay()
      if (runnable(journal.run).length > 0) await turn(ports, journal, { thread, performed, lost, alarms })
      else if (!(await slept(ports, journal, signal))) break
      tickDue(ports, journal)
      await takeInbox(ports, journal)
    }
    await journal.flush()
    return journal.run
  } finally {
    still()
    alarms.stop()
    signal?.removeEventListener('abort', cancel)
  }
}

/** Twice a second while a thread is driven: the lease is kept, and commands are heard even during a long call. */
async function beat(ports: Ports, journal: Journal): Promise<void> {
  const now = ports.clock.now()
  if (now > journal.lease.until - (LEASE * 2) / 3) journal.renewed(await ports.store.renew(journal.lease, now + LEASE))
  tickDue(ports, journal)
  await takeInbox(ports, journal)
  await journal.flush()
}

/** Defaults whose time has come while nobody was there. */
function tickDue({ clock }: Ports, journal: Journal): void {
  const now = clock.now()
  const due = (effect: Effect) => effect.type !== 'invoke' && effect.deadline !== undefined && effect.deadline <= now
  for (const effect of journal.run.pending.filter(due)) journal.take({ type: 'tick', effect: effect.id })
}

/** Carries out the commands of others, each once; what cannot be carried out is refused with its reason. */
async function takeInbox({ graph, store, clock }: Ports, journal: Journal): Promise<void> {
  for (const { command, event } of await store.inbox(journal.lease.thread)) {
    // Taken already, and perhaps not stored yet: the inbox still shows it.
    if (journal.settled(command)) continue
    const refused = refusalOf(graph.machine, journal.run, event, clock.now())
    if (refused === undefined) journal.take({ ...event, command } as PersonEvent)
    journal.settle(refused === undefined ? { command } : { command, refused })
  }
}

/** Waits for the nearest `wait` effect. `false`: only people can carry the thread on. */
async function slept({ clock }: Ports, journal: Journal, signal: AbortSignal | undefined): Promise<boolean> {
  const times = journal.run.pending.flatMap(effect => (effect.type === 'wait' ? [effect.deadline] : []))
  if (times.length === 0) return false
  await journal.flush()
  const woken = new AbortController()
  const forget = journal.onChange(() => woken.abort())
  signal?.addEventListener('abort', () => woken.abort(), { once: true, signal: woken.signal })
  await clock.sleep(Math.max(0, Math.min(...times) - clock.now()), woken.signal).catch(() => {})
  forget()
  return true
}
