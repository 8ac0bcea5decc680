/** Lists show the loop, the escapes and the cost of each thread, and threads are counted by them, without their journals. */
import { setTimeout } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createClient } from '../../src/client.ts'
import { calls, newDesk, says } from './protocols/desk.ts'
import type { Served } from './service.ts'

const SEARCHED = { kind: 'loop', code: 'repeated-sequence', members: ['stock'] } as const

async function looped(): Promise<Served> {
  const again = calls('stock', { article: 'clock' })
  const of = await newDesk({ model: [again, again, again, again, says('Done.')] })
  await of.send('POST', '/v1/threads', { graph: 'shop', input: { goal: 'g' }, thread: 'a' })
  while ((await of.runtime.thread('a').state()).status === 'active') await setTimeout(10)
  return of
}

test('a list has the last loop, the rungs and the spending of each thread', async () => {
  const of = await looped()
  const { body } = await of.send('GET', '/v1/threads')
  const rows = await of.runtime.thread('a').rows()
  const rungs = rows.flatMap(({ verdict }) =>
    verdict.kind === 'escape' ? [verdict.route.rung] : [],
  )
  const { spent } = await of.runtime.thread('a').state()
  expect(rungs.length).toBeGreaterThan(0)
  expect(body.threads).toMatchObject([
    {
      thread: 'a',
      tally: {
        findings: rows.flatMap(({ findings }) => findings).length,
        finding: { signature: SEARCHED, period: 1 },
        escapes: rungs.length,
        rungs,
        spent: { steps: spent.steps, tokens: spent.tokens, usd: spent.usd },
      },
    },
  ])
})

test('a list is filtered by the kind of the finding and by the least cost', async () => {
  const of = await looped()
  const found = async (query: string) => (await of.send('GET', `/v1/threads?${query}`)).body.threads
  for (const query of ['finding=any', 'finding=loop', 'minUsd=0'])
    expect([query, await found(query)]).toEqual([query, [expect.objectContaining({ thread: 'a' })]])
  for (const query of ['finding=budget', 'minUsd=1000'])
    expect([query, await found(query)]).toEqual([query, []])
  for (const query of ['finding=circle', 'outcome=succes', 'minUsd=-1', 'minUsd=much'])
    expect([query, (await of.send('GET', `/v1/threads?${query}`)).status]).toEqual([query, 422])
})

test('threads are counted by graph, outcome and finding, also for a client', async () => {
  const of = await looped()
  const { body } = await of.send('GET', '/v1/tallies?graph=shop', undefined, { role: 'view' })
  expect(body.tallies).toMatchObject([{ graph: 'shop', count: 1, signature: SEARCHED }])
  const client = createClient(of.url, { key: 'key-view' })
  expect(await client.tallies({ graph: 'shop' })).toEqual(body.tallies)
  expect(await client.tallies({ since: Date.now() + 60_000 })).toEqual([])
  expect(await client.threads({ finding: 'stall' })).toEqual({ threads: [] })
})
