/** A turn: every runnable effect is performed, concurrently, until it has settled or has been left. */
import { isPending, type Effect } from '../core/effects.ts'
import { runnable } from '../core/run.ts'
import { classify, factsOf } from '../core/watch/failure.ts'
import type { Json } from '../core/watch/json.ts'
import { kept } from './cut.ts'
import type { Alarms } from './alarms.ts'
import type { Journal } from './journal.ts'
import { Leave } from './leave.ts'
import { Failing, Labelled, type Ports } from './ports.ts'
import { NO_RECORDS, recordsOf } from './recorded.ts'
import { taskOf } from './task.ts'

type Invoke = Effect & { readonly type: 'invoke' }

/** How long work that was left may take to heed its signal, in ms. What comes later is journalled as `call.late`. */
const GRACE = 5_000

/** Characters an output may have; it is handed on whole or not at all. */
const OUTPUT_MAX = 4_194_304

export interface TurnTerms {
  readonly thread: string
  /** Effects performed before, by another driver or in an earlier turn: the journal may hold answers of theirs. */
  readonly performed: Set<string>
  /** Left when the lease is lost: nothing more may be performed. */
  readonly lost: Leave
  readonly alarms: Alarms
}

export async function turn(ports: Ports, journal: Journal, terms: TurnTerms): Promise<void> {
  const outstanding = new Set<Promise<unknown>>()
  const started = runnable(journal.run)
  for (const { id, region } of started) journal.take({ type: 'turn.started', effect: id, region, epoch: journal.lease.epoch })
  await journal.flush()
  await Promise.all(started.map(effect => perform(ports, journal, effect, { ...terms, outstanding })))
  for (const { id } of started) if (isPending(journal.run.pending, id)) terms.performed.add(id)
  if (outstanding.size > 0) await patience(ports, outstanding)
}

/** The node was left while it worked: whatever it still does here comes to nothing. */
class Left extends Error {
  override readonly name = 'AbortError'
}

type Performing = TurnTerms & { readonly outstanding: Set<Promise<unknown>> }

async function perform(ports: Ports, journal: Journal, { id, region, node, since }: Invoke, { thread, performed, lost, alarms, outstanding }: Performing): Promise<void> {
  const pending = () => isPending(journal.run.pending, id)
  const here = () => {
    const effect = pending()
    return effect?.type === 'invoke' && effect.blocked === undefined
  }
  const started = pending()
  if (started?.type !== 'invoke' || started.blocked !== undefined) return
  const leave = new Leave()
  const ends = [
    lost.onLeave(reason => leave.leave(reason)),
    journal.onChange(() => {
      if (!here()) leave.leave(new Left(`${id} has been left`))
    }),
    // Silence is seen, too: the deadline is an event like any other.
    alarms.at(started.deadline ?? Number.POSITIVE_INFINITY, () => journal.take({ type: 'tick', effect: id })),
  ]
  const end = () => {
    for (const stop of ends.splice(0)) stop()
  }
  try {
    const worker = ports.graph.nodes[node]
    if (!worker) throw new Error(`nobody works in the node '${node}': the graph binds ${Object.keys(ports.graph.nodes).join(', ') || 'no node'}`)
    const records = performed.has(id) ? recordsOf(await ports.store.rows(thread, since - 1), id) : NO_RECORDS
    const task = taskOf({ ports, journal, effect: { id, region }, leave, alarms, outstanding, thread, node, records })
    const output = await untilLeft(leave, worker(task))
    end()
    if (here()) settle(ports, journal, { id, region }, output)
  } catch (error) {
    end()
    if (here()) journal.take({ type: 'node.failed', effect: id, region, failure: failureOf(ports, journal, error) })
  }
}

function untilLeft<T>(leave: Leave, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const forget = leave.onLeave(reject)
    work.then(resolve, reject).finally(forget)
  })
}

function settle(ports: Ports, journal: Journal, { id, region }: Pick<Invoke, 'id' | 'region'>, output: unknown): void {
  if (output instanceof Failing) {
    journal.take({ type: 'node.failed', effect: id, region, failure: output.failure })
    return
  }
  const label = output instanceof Labelled ? { label: output.label } : {}
  const whole = kept('the output', output instanceof Labelled ? output.output : output, ports.redact, OUTPUT_MAX)
  if (whole.cut !== undefined) throw new OutputTooLarge(whole.cut)
  journal.take({ type: 'node.done', effect: id, region, output: whole.value as Json, ...label })
}

class OutputTooLarge extends Error {
  override readonly name = 'OutputTooLarge'
  constructor(size: number) {
    super(`the output has ${size} characters; at most ${OUTPUT_MAX} can be kept`)
  }
}

function failureOf(ports: Ports, journal: Journal, error: unknown) {
  const facts = factsOf(error)
  const judged = ports.graph.classifier?.(facts) ?? classify(facts, journal.run.policy.failures)
  return { ...facts, message: String(ports.redact(facts.message)), ...judged }
}

async function patience({ clock }: Ports, outstanding: ReadonlySet<Promise<unknown>>): Promise<void> {
  const over = new AbortController()
  await Promise.race([Promise.allSettled(outstanding), clock.sleep(GRACE, over.signal).catch(() => {})])
  over.abort()
}
