/** A store that kills its process at one of its commits. */
import type { Store } from '../../src/runtime/store.ts'

/** The commit, counted from 1, and on which side of it death comes. */
export interface Spot {
  readonly side: 'before' | 'after'
  readonly commit: number
}

const COMMITS = ['append', 'submit', 'lease', 'renew', 'release', 'keep'] as const

/** `stored` is told of every append that has returned, before death can come: its number and its last row. */
export function deadlyStore(store: Store, spot: Spot | undefined, stored: (commit: number, seq: number) => void): Store {
  let commits = 0
  const meet = (side: Spot['side'], commit: number) => {
    if (spot?.side === side && spot.commit === commit) process.kill(process.pid, 'SIGKILL')
  }
  const deadly = { ...store }
  for (const name of COMMITS) {
    const commit = store[name] as (...given: readonly unknown[]) => Promise<unknown>
    const meeting = async (...given: readonly unknown[]) => {
      commits += 1
      const mine = commits
      meet('before', mine)
      const result = await commit(...given)
      if (name === 'append') stored(mine, (given[0] as Parameters<Store['append']>[0]).summary.seq)
      meet('after', mine)
      return result
    }
    Object.assign(deadly, { [name]: meeting })
  }
  return deadly
}
