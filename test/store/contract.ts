/** The contract of all stores, as one suite. */
import { afterEach, describe } from 'vitest'
import type { Store } from '../../src/runtime/store/store.ts'
import { appending } from './contract/appending.ts'
import { guarding } from './contract/guarding.ts'
import { keeping } from './contract/keeping.ts'
import { leasing } from './contract/leasing.ts'
import { listing } from './contract/listing.ts'
import { reading } from './contract/reading.ts'
import { removing } from './contract/removing.ts'
import { requesting } from './contract/requesting.ts'
import { settling } from './contract/settling.ts'
import { sharing } from './contract/sharing.ts'
import { tallying } from './contract/tallying.ts'

/** `make` gives a new, empty store; the suite closes it. */
export function storeContract(name: string, make: () => Store): void {
  const made: Store[] = []
  const fresh = () => {
    const store = make()
    made.push(store)
    return store
  }
  describe(`${name} keeps the contract of stores`, () => {
    afterEach(async () => {
      for (const store of made.splice(0)) await store.close()
    })
    leasing(fresh)
    appending(fresh)
    reading(fresh)
    settling(fresh)
    listing(fresh)
    tallying(fresh)
    keeping(fresh)
    guarding(fresh)
    sharing(fresh)
    removing(fresh)
    requesting(fresh)
  })
}
