/** A turn: every runnable effect is performed, concurrently, until it has settled or has been left. */
import { isPending, type Effect } from '../core/effects.ts'
import { runnable } from '../core/run.ts'
import { classify, factsOf } from '../core/watch/failure.ts'
import type { Json } from '../core/watch/json.ts'
import { kept } from './cut.ts'
import type { Journal } from './journal.ts'
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
  /** Effects that were pending when this driver took the thread over: the journal may hold answers of theirs. */
  readonly inherited: ReadonlySet<string>
  /** Aborted when the lease is lost: nothing more may be performed. */
  readonly lost: AbortSignal
}

export async function turn(ports: Ports, journal: Journal, terms: TurnTerms): Promise<void> {
  const outstanding = new Set<Promise<unknown>>()
  const started = runnable(journal.run).map(effect => {
    journal.take({ type: 'turn.started', effect: effect.id, region: effect.region, epoch: journal.lease.epoch })
    return effect
  })
  await journal.flush()
  await Promise.all(started.map(effect => perform(ports, journal, effect, { ...terms, outstanding })))
  if (outstanding.size > 0) await patience(ports, outstanding)
}

/** The node was left while it worked: whatever it still does here comes to nothing. */
class Left extends Error {
  override readonly name = 'AbortError'
}

async function perform(
  ports: Ports,
  journal: Journal,
  { id, region, node, since }: Invoke,
  { thread, inherited, lost, outstanding }: TurnTerms & { outstanding: Set<Promise<unknown>> },
): Promise<void> {
  const here = () => {
    const effect = isPending(journal.run.pending, id)
    return effect?.type === 'invoke' && effect.blocked === undefined
  }
  if (!here()) return
  const leaving = new AbortController()
  const stay = () => {
    if (leaving.signal.aborted) throw leaving.signal.reason
  }
  const forget = journal.onChange(() => {
    if (!leaving.signal.aborted && !here()) leaving.abort(new Left(`${id} has been left`))
  })
  lost.addEventListener('abort', () => leaving.abort(lost.reason), { once: true, signal: leaving.signal })
  const settled = new AbortController()
  const alarm = deadline(ports, journal, id, settled.signal)
  try {
    const records = inherited.has(id) ? recordsOf(await ports.store.rows(thread, since - 1), id) : NO_RECORDS
    const task = taskOf({ ports, journal, effect: { id, region }, signal: leaving.signal, stay, outstanding, thread, node, records })
    const worker = ports.graph.nodes[node]
    if (!worker) throw new Error(`nobody works in the node '${node}': the graph binds ${Object.keys(ports.graph.nodes).join(', ') || 'no node'}`)
    const output = await Promise.race([worker(task), rejection(leaving.signal)])
    if (here()) settle(ports, journal, { id, region }, output)
  } catch (error) {
    if (here()) journal.take({ type: 'node.failed', effect: id, region, failure: failureOf(ports, journal, error) })
  } finally {
    settled.abort()
    forget()
    await alarm
  }
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

/** Commits `tick` when the effect's deadline comes first: silence is seen, too. */
async function deadline({ clock }: Ports, journal: Journal, id: string, signal: AbortSignal): Promise<void> {
  const effect = isPending(journal.run.pending, id)
  if (effect?.type !== 'invoke' || effect.deadline === undefined) return
  try {
    await clock.sleep(effect.deadline - clock.now(), signal)
    journal.take({ type: 'tick', effect: id })
  } catch {
    // The effect has settled: its deadline is of no interest any more.
  }
}

function rejection(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true }))
}

async function patience({ clock }: Ports, outstanding: ReadonlySet<Promise<unknown>>): Promise<void> {
  const over = new AbortController()
  await Promise.race([Promise.allSettled(outstanding), clock.sleep(GRACE, over.signal).catch(() => {})])
  over.abort()
}
