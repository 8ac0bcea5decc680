/** The thread that an answer is for: a thread lists the questions of the children it waits for, and takes their answers. */
import { refold } from '../../core/advance.ts'
import type { AgentMachine } from '../../core/graph/agent-machine.ts'
import { initialRun, type Run, type Started } from '../../core/run/run.ts'
import { questionsOf, questionsOpenedBy } from '../../core/run/view.ts'
import { isBelow } from '../../core/watch/data/thread-name.ts'
import type { Stamped } from '../../core/watch/event/event.ts'
import { explain, type Reason } from '../../core/watch/reason/reason.ts'
import type { Command } from '../../runtime/store/person-event.ts'
import type { Store } from '../../runtime/store/store.ts'
import { childrenOf } from './children.ts'
import type { CommandOptions, Settled } from './command.ts'
import type { Host } from './host.ts'
import { identifiedBy } from './once.ts'
import { checkSeq } from './stale-seq.ts'

interface Asking {
  readonly thread: string
  readonly run: Run
}

/** A thread, and the threads below it that it waits for. */
interface Family extends Asking {
  readonly store: Store
  readonly machine: AgentMachine
  readonly below: readonly Asking[]
}

/** The thread with this open question, or why it is not certain. Without one, the thread itself refuses the answer. */
export async function askerIn(family: Family, question: string): Promise<string | Reason> {
  const { thread, below } = family
  if (asks(family, question)) return thread
  const threads = below.filter(child => asks(child, question)).map(child => child.thread)
  const [asker, ...others] = threads
  if (asker === undefined) return thread
  // A late answer to a closed question of the thread is not one to a child, whose question has the same id.
  if (others.length === 0 && !(await hasAsked(family, question))) return asker
  return { code: 'ambiguous-question', params: { question, threads } }
}

const asks = ({ run }: Asking, question: string): boolean =>
  questionsOf(run).some(({ id }) => id === question)

async function hasAsked({ store, machine, thread }: Family, question: string): Promise<boolean> {
  let run: Run | undefined
  for (const row of await store.rows(thread)) {
    run = refold(machine, run ?? initialRun(row.event as Stamped<Started>), row)
    if (questionsOpenedBy(run, row).some(({ id }) => id === question)) return true
  }
  return false
}

export type AnswerCommand = Extract<Command, { readonly type: 'resume' }>

/** Delivers an answer to the thread, or to the child below it that asks. */
export async function deliverAnswer(
  host: Host,
  thread: string,
  answer: AnswerCommand,
  given: CommandOptions = {},
): Promise<Settled> {
  const options = identifiedBy(given)
  const known = await takerOf(host.store, thread, options.id)
  const asker = known ?? (await askerOf(host, thread, answer.effect))
  if (typeof asker !== 'string')
    return { applied: false, code: asker.code, because: explain(asker) }
  if (asker === thread) return host.deliver(thread, answer, options)
  // The caller has seen the events of the thread that it names.
  if (known === undefined) await checkSeq(host.store, thread, options)
  const { expectSeq: _, ...rest } = options
  const settled = await host.deliver(asker, answer, rest)
  return settled.applied ? { ...settled, thread: asker } : settled
}

/** The thread that has taken a command with this id: a repeated answer goes where the first one went. */
async function takerOf(store: Store, thread: string, id: string | undefined) {
  if (id === undefined) return undefined
  const isTaken = async (by: string) => (await store.command(by, id)).state !== 'unknown'
  if (await isTaken(thread)) return thread
  const below = await store.page({ prefix: `${thread}/` })
  for (const child of below)
    if (isBelow(child.thread, thread) && (await isTaken(child.thread))) return child.thread
  return undefined
}

async function askerOf(host: Host, thread: string, question: string): Promise<string | Reason> {
  // A thread that cannot be read here refuses the answer itself, or leaves it to another process.
  const known = await host.runOf(thread).catch(() => undefined)
  if (!known) return thread
  const { graph, run } = known
  const below = await childrenOf(run, child => host.runOf(child)).catch(() => [])
  return askerIn({ store: host.store, machine: graph.machine, thread, run, below }, question)
}
