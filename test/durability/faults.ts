/** A store that kills its process at one of its commits. */
import type { Store } from '../../src/runtime/store/store.ts'

/** A kill before or after a commit, counted from 1, or at the commit that stores a tool call or its answer. */
export type Spot =
  | { readonly side: 'before' | 'after'; readonly commit: number }
  | { readonly side: 'after'; readonly callOf: string }
  | { readonly side: 'before'; readonly answerOf: string }

const COMMITS = ['append', 'submit', 'join', 'lease', 'renew', 'release', 'putBlob'] as const

type Batch = Parameters<Store['append']>[0]

/** Calls `stored` after every append, before the process can be killed, with its number and its last row. */
export function deadlyStore(
  store: Store,
  spot: Spot | undefined,
  stored: (commit: number, seq: number, thread: string) => void,
): Store {
  let commits = 0
  const deadly = { ...store }
  for (const name of COMMITS) {
    const commit = store[name] as (...given: readonly unknown[]) => Promise<unknown>
    const meeting = async (...given: readonly unknown[]) => {
      commits += 1
      const mine = commits
      const batch = name === 'append' ? (given[0] as Batch) : undefined
      if (spot?.side === 'before' && isMet(spot, mine, batch)) die()
      const result = await commit(...given)
      if (batch) stored(mine, batch.summary.seq, batch.lease.thread)
      if (spot?.side === 'after' && isMet(spot, mine, batch)) die()
      return result
    }
    Object.assign(deadly, { [name]: meeting })
  }
  return deadly
}

function isMet(spot: Spot, commit: number, batch: Batch | undefined): boolean {
  if ('commit' in spot) return spot.commit === commit
  if ('callOf' in spot)
    return (
      batch?.rows.some(
        ({ event }) => event.type === 'tool.called' && event.subject === spot.callOf,
      ) === true
    )
  return (
    batch?.rows.some(
      ({ event }) => event.type === 'tool.done' && event.subject === spot.answerOf,
    ) === true
  )
}

function die(): void {
  process.kill(process.pid, 'SIGKILL')
}
