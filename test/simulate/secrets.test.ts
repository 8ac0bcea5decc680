/** What a simulation stores and shows has no secrets of the environment, also without a redactor of its subject. */
import { afterAll, expect, test } from 'vitest'
import { memoryStore } from '../../src/runtime/store/memory-store.ts'
import { simulate } from '../../src/simulate/run/simulate.ts'
import { shop, subjectOf } from './fixture.ts'

const SECRET = 'simplesecretvalue4242'
process.env.SHOP_TOKEN = SECRET
afterAll(() => {
  delete process.env.SHOP_TOKEN
})

test('a store that the caller gives receives none of them', async () => {
  const create = () => ({
    tools: {
      stock: () => {
        throw new Error(`401 for the key ${SECRET}`)
      },
    },
  })
  const store = memoryStore()
  const { journal: _, ...run } = await simulate(subjectOf(shop(), {}, create), {
    seed: 1,
    store,
    thread: 't',
  })
  const stored = JSON.stringify(await store.rows('t'))
  expect(stored).toContain('401 for the key [redacted]')
  expect(`${stored}${JSON.stringify(run)}`).not.toContain(SECRET)
})
