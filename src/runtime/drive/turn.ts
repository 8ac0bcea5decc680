/** A turn: every runnable effect is performed, concurrently, and what becomes runnable meanwhile is begun at once. */
import { pendingEffect } from '../../core/effects.ts'
import { type Run, runnable } from '../../core/run.ts'
import type { Journal } from '../journal/journal.ts'
import { type PerformTerms, perform } from './perform.ts'
import type { Ports } from '../ports.ts'

interface TurnTerms extends PerformTerms {
  /** Called whenever something has settled and other work goes on: deadlines and commands are looked after. */
  readonly between: () => Promise<void>
}

/** The effects that are being performed, by their ids. */
type UnderWay = Map<string, { readonly region: string; readonly ended: Promise<void> }>

/** Ends when nothing is under way. Regions do not wait for one another; where there are none, that is after every node. */
export async function turn(ports: Ports, journal: Journal, terms: TurnTerms): Promise<void> {
  const underWay: UnderWay = new Map()
  for (;;) {
    const begun = startable(journal.run, underWay).map(effect => ({
      effect,
      run: journal.take({
        type: 'turn.started',
        effect: effect.id,
        region: effect.region,
        epoch: journal.lease.epoch,
      }),
    }))
    if (begun.length > 0) await journal.flush()
    for (const { effect, run } of begun) {
      const ended = perform(ports, journal, { effect, run }, terms).finally(() =>
        underWay.delete(effect.id),
      )
      underWay.set(effect.id, { region: effect.region, ended })
    }
    if (underWay.size === 0) return
    await nextChange(journal, underWay)
    if (underWay.size === 0 || terms.lost.cancelled) return
    await terms.between()
  }
}

/**
 * What can be begun now. Work that was left, and has not heeded its signal yet, is waited for in its own region: what follows
 * must not meet it in the world. Where all regions are left, all are waited for.
 */
function startable(run: Run, underWay: UnderWay): ReturnType<typeof runnable> {
  const { concurrency = Number.POSITIVE_INFINITY } = run.policy.limits
  const lingering = [...underWay].flatMap(([id, { region }]) =>
    pendingEffect(run.pending, id) ? [] : [region],
  )
  return runnable(run)
    .filter(
      ({ id, region }) =>
        !underWay.has(id) &&
        !lingering.some(left => left === region || left === '' || region === ''),
    )
    .slice(0, Math.max(0, concurrency - underWay.size))
}

/** Resolves when something has ended, or can be begun. @throws what performing throws: the store, or the lease, is lost. */
function nextChange(journal: Journal, underWay: UnderWay): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = journal.onChange(() => {
      if (startable(journal.run, underWay).length > 0) over(resolve)
    })
    const over = (how: () => void) => {
      stop()
      how()
    }
    for (const { ended } of underWay.values())
      ended.then(
        () => over(resolve),
        error => over(() => reject(error)),
      )
  })
}
