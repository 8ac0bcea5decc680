/** A turn: performs all runnable effects concurrently, and starts effects that become runnable in the meantime. */
import { pendingEffect } from '../../core/effects.ts'
import { type Run, runnable } from '../../core/run.ts'
import type { Journal } from '../journal/journal.ts'
import { type PerformTerms, perform } from './perform.ts'

interface TurnTerms extends PerformTerms {
  /** Called after each effect while others continue: handles deadlines and commands. */
  readonly between: () => Promise<void>
}

/** The running effects by their ids. */
type Running = Map<string, { readonly region: string; readonly ended: Promise<void> }>

/** Ends when all effects have ended. Regions do not wait for one another. */
export async function turn(terms: TurnTerms): Promise<void> {
  const { journal, lost, between } = terms
  const running: Running = new Map()
  for (;;) {
    const { epoch } = journal.lease
    const started = startable(journal.run, running).map(effect => {
      const { id, region } = effect
      return { effect, run: journal.take({ type: 'turn.started', effect: id, region, epoch }) }
    })
    if (started.length > 0) await journal.flush()
    for (const { effect, run } of started) {
      const ended = perform(terms, effect, run).finally(() => running.delete(effect.id))
      running.set(effect.id, { region: effect.region, ended })
    }
    if (running.size === 0) return
    await nextStartOrEnd(journal, running)
    if (running.size === 0 || lost.cancelled) return
    await between()
  }
}

/**
 * The effects that can start now. A node that was left may still be working, so its region waits for it: the next node must not
 * run beside it. When all regions are left at once, they wait for all such nodes.
 */
function startable(run: Run, running: Running): ReturnType<typeof runnable> {
  const { concurrency = Number.POSITIVE_INFINITY } = run.policy.limits
  const lingering = [...running].flatMap(([id, { region }]) =>
    pendingEffect(run.pending, id) ? [] : [region],
  )
  const mustWait = (region: string) =>
    lingering.some(left => left === region || left === '' || region === '')
  return runnable(run)
    .filter(({ id, region }) => !running.has(id) && !mustWait(region))
    .slice(0, Math.max(0, concurrency - running.size))
}

/** Resolves when an effect has ended or can start. @throws an error of the store, or the reason why the lease was lost. */
function nextStartOrEnd(journal: Journal, running: Running): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const stop = journal.onChange(() => {
    if (startable(journal.run, running).length > 0) resolve()
  })
  for (const { ended } of running.values()) ended.then(resolve, reject)
  promise.then(stop, stop)
  return promise
}
