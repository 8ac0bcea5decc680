/** MCP by its own client: a coding agent finds out why a thread is stuck, and helps it on. */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterEach, expect, test } from 'vitest'
import { askingThread, service } from '../service.ts'
import { calls, newDesk, says } from './desk.ts'

const open: Client[] = []

afterEach(async () => {
  for (const client of open.splice(0)) await client.close()
})

async function clientOf(url: string, key = 'key-operate') {
  const client = new Client({ name: 'coder', version: '1' })
  const requestInit = { headers: { authorization: `Bearer ${key}` } }
  await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit }))
  open.push(client)
  return client
}

// biome-ignore lint/suspicious/noExplicitAny: a result is any JSON, and the tests compare it.
async function call(client: Client, name: string, args: object): Promise<any> {
  const { structuredContent, content, isError } = await client.callTool({
    name,
    arguments: { ...args },
  })
  return isError ? { error: (content as { text: string }[])[0]?.text } : structuredContent
}

const namesOf = async (client: Client) => (await client.listTools()).tools.map(({ name }) => name)

test('reads threads, findings and journals, and explains why a thread is stuck', async () => {
  const again = calls('stock', { article: 'clock' })
  const refund = calls('refund', { amount: 7 })
  const of = await newDesk({ model: [again, again, again, again, refund, says('Done.')] })
  await of.send('POST', '/v1/threads', { graph: 'shop', input: { goal: 'g' }, thread: 'a/b' })
  while ((await of.runtime.thread('a/b').state()).status === 'active')
    await new Promise(resolve => setTimeout(resolve, 10))
  const client = await clientOf(of.url, 'key-view')
  expect(await namesOf(client)).toEqual(['threads', 'why_stuck', 'loops', 'show'])
  expect((await call(client, 'threads', { graph: 'shop' })).threads).toMatchObject([
    { thread: 'a/b', graph: 'shop' },
  ])
  const { loops } = await call(client, 'loops', { thread: 'a/b' })
  expect(loops[0]).toMatchObject({
    because: expect.stringContaining('stock'),
    burned: { toolCalls: expect.any(Number) },
    escape: expect.any(String),
  })
  const stuck = await call(client, 'why_stuck', { thread: 'a/b' })
  expect(stuck).toMatchObject({ thread: 'a/b', because: expect.any(String) })
  expect(stuck.loops.length).toBeGreaterThan(0)
  const { state, events } = await call(client, 'show', { thread: 'a/b', at: 3, events: 2 })
  expect([state.seq, events.map(({ seq }: { seq: number }) => seq)]).toEqual([3, [2, 3]])
  const { resources } = await client.listResources()
  expect(resources).toHaveLength(1)
  const { contents } = await client.readResource({ uri: resources[0]?.uri ?? '' })
  const rows = (contents[0] as { text: string }).text.trim().split('\n')
  expect(JSON.parse(rows[0] ?? '')).toMatchObject({ seq: 0, event: { type: 'thread.started' } })
})

test('offers changes only to an operator of a service that allows them', async () => {
  const [closed, opened] = [await service(), await service({ mcp: { allowWrites: true } })]
  const writes = ['fork', 'answer', 'inject']
  const offered = async (url: string, key: string) =>
    (await namesOf(await clientOf(url, key))).filter(name => writes.includes(name))
  expect(await offered(closed.url, 'key-admin')).toEqual([])
  expect(await offered(opened.url, 'key-view')).toEqual([])
  expect(await offered(opened.url, 'key-operate')).toEqual(writes)
  await expect(clientOf(opened.url, 'none')).rejects.toThrow()
})

test('answers a question, injects a fault, and forks', async () => {
  const of = await service({ mcp: { allowWrites: true } })
  await askingThread(of)
  const client = await clientOf(of.url)
  const { because, questions } = await call(client, 'why_stuck', { thread: 'one' })
  expect(because).toBe('the thread waits for an answer: Go on?')
  const fork = await call(client, 'fork', { thread: 'one', effects: 'refuse', as: 'two' })
  expect(fork).toMatchObject({ thread: 'two' })
  const fault = { thread: 'one', kind: 'tool', name: 'none' }
  expect((await call(client, 'inject', fault)).error).toContain('unknown-name')
  expect(await call(client, 'inject', { ...fault, name: 'work' })).toMatchObject({ thread: 'one' })
  const answer = { thread: 'one', question: questions[0].id, decision: 'approved', note: 'fine' }
  expect(await call(client, 'answer', answer)).toMatchObject({ thread: 'one' })
  expect((await of.runtime.thread('one').result()).outcome).toBe('success')
  expect((await call(client, 'answer', answer)).error).toMatch(/thread-ended|question-closed/)
  expect((await call(client, 'why_stuck', { thread: 'none' })).error).toContain('unknown-thread')
})
