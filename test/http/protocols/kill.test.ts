/** SIGKILL of the service in the middle of a batch: each client resumes, and no finished call is made again. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { expect, test } from 'vitest'
import { createClient } from '../../../src/client.ts'
import { newFolders } from '../../durability/folders.ts'
import { KEY, serveIn } from '../serving.ts'
import { agentOf, run, user } from './ag-ui-client.ts'
import { chatWith, partsOf } from './chat-client.ts'

const newFolder = newFolders()
const GRAPH = `${join(import.meta.dirname, '../fixture/shop.ts')}#shop`
const QUESTION = 'How many are left?'

/** A service that is killed while one of two calls of a batch works. */
async function killedService() {
  const folder = newFolder()
  const [file, go] = [join(folder, 'work.txt'), join(folder, 'go')]
  const environment = { WORK_FILE: file, GO_FILE: go }
  const args = ['--graphs', GRAPH, '--store', 'threads.db']
  const first = serveIn(folder, args, environment)
  const { url } = await first.ready
  const worked = () => (existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [])
  return {
    url,
    worked,
    async restart() {
      while (!(await storedResult(url)) || !worked().includes('begin watch'))
        await new Promise(resolve => setTimeout(resolve, 10))
      first.child.kill('SIGKILL')
      await first.exit
      await serveIn(folder, [...args, '--port', new URL(url).port], environment).ready
    },
    finish: () => writeFileSync(go, ''),
  }
}

async function storedResult(url: string): Promise<boolean> {
  const client = createClient(url, { key: 'k' })
  const [thread] = (await client.threads()).threads
  const rows = thread ? await client.thread(thread.thread).rows() : []
  return rows.some(({ event }) => event.type === 'tool.done')
}

/** The finished lookup is not made again. The one that the kill interrupted is. */
const WORKED = ['begin clock', 'begin watch', 'end clock', 'begin watch', 'end watch']

test('a stream of the client continues after the last event', async () => {
  const { url, worked, restart, finish } = await killedService()
  const thread = await createClient(url, { key: 'k' }).start('shop', { goal: QUESTION })
  const seqs: number[] = []
  const read = (async () => {
    for await (const event of thread.events()) if (event.type !== 'token') seqs.push(event.seq)
  })()
  await restart()
  finish()
  await read
  const { seq } = await thread.state()
  expect(seqs).toEqual(Array.from({ length: seq + 1 }, (_, index) => index))
  expect(worked().toSorted()).toEqual(WORKED.toSorted())
})

test('a chat of the AI SDK resumes its message, with each part once', async () => {
  const { url, worked, restart, finish } = await killedService()
  const chat = chatWith(url, { key: 'k' })
  const sent = chat.sendMessage({ text: QUESTION })
  await restart()
  await sent
  expect(chat.status).toBe('error')
  const resumed = chat.resumeStream()
  finish()
  await resumed
  expect(chat.messages.map(({ role }) => role)).toEqual(['user', 'assistant'])
  expect(partsOf(chat)).toEqual([
    ['step-start'],
    ['tool-stock', 'output-available', '3 of clock'],
    ['tool-stock', 'output-available', '3 of watch'],
    ['step-start'],
    ['text', 'Three of each.'],
  ])
  expect(worked().toSorted()).toEqual(WORKED.toSorted())
})

test('an agent of AG-UI that repeats its run receives the whole round', async () => {
  const { url, worked, restart, finish } = await killedService()
  // Not by the client of AG-UI, which leaves a rejection of its own unhandled when a connection breaks.
  const request = {
    threadId: 'one',
    runId: 'r',
    messages: [user(QUESTION)],
    tools: [],
    context: [],
  }
  const body = JSON.stringify(request)
  const broken = fetch(`${url}/ag-ui`, { method: 'POST', headers: KEY, body })
  const received = broken.then(response => response.text()).catch(() => 'broken')
  await restart()
  expect(await received).toBe('broken')
  const agent = agentOf(url, [user(QUESTION)], 'k')
  const again = run(agent)
  finish()
  expect((await again).error).toBeUndefined()
  expect(agent.messages.map(({ role, content }) => [role, content])).toEqual([
    ['user', QUESTION],
    ['assistant', undefined],
    ['tool', '3 of clock'],
    ['tool', '3 of watch'],
    ['assistant', 'Three of each.'],
  ])
  expect(worked().toSorted()).toEqual(WORKED.toSorted())
})

test('a connection of MCP goes on', async () => {
  const { url, restart, finish } = await killedService()
  const thread = await createClient(url, { key: 'k' }).start('shop', { goal: QUESTION })
  const requestInit = { headers: { authorization: 'Bearer k' } }
  const mcp = new Client({ name: 'test', version: '1' })
  await mcp.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit }))
  const show = async () => {
    const request = { name: 'show', arguments: { thread: thread.id } }
    return JSON.stringify(await mcp.callTool(request))
  }
  expect(await show()).toContain('active')
  await restart()
  finish()
  await thread.result()
  expect(await show()).toContain('Three of each.')
  await mcp.close()
})
