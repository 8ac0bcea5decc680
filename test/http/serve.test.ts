/** `escapement serve` as a process: it listens, refuses to be open to all, and leaves its threads at SIGTERM. */
import { Client } from '@langchain/langgraph-sdk'
import { writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { createClient } from '../../src/client.ts'
import { newFolders } from '../durability/folders.ts'
import { askingThread, service } from './service.ts'
import { KEY, serveIn } from './serving.ts'

const newFolder = newFolders()

const SPEC = `escapement: 1
id: ask
start: ask
nodes:
  ask: { use: human, question: Go on?, deadline: 1h, on: { human.approved: end, human.rejected: no, human.expired: no } }
  end: { final: success }
  no: { final: failure }
`
// biome-ignore lint/suspicious/noExplicitAny: the answer is any JSON.
const read = async (url: string): Promise<any> => (await fetch(url, { headers: KEY })).json()

function folderWithGraph(): string {
  const folder = newFolder()
  writeFileSync(join(folder, 'ask.yaml'), SPEC)
  return folder
}

describe('escapement serve', () => {
  test('serves the specs of a folder, and continues its threads after SIGTERM', async () => {
    const folder = folderWithGraph()
    const args = ['--graphs', '.', '--store', 'threads.db']
    const first = serveIn(folder, args)
    const { url } = await first.ready
    const body = JSON.stringify({ graph: 'ask', thread: 'one' })
    expect((await fetch(`${url}/v1/threads`, { method: 'POST', headers: KEY, body })).status).toBe(
      201,
    )
    first.child.kill('SIGTERM')
    expect((await first.exit).code).toBe(0)

    const second = serveIn(folder, args)
    const again = (await second.ready).url
    const { questions } = await read(`${again}/v1/inbox`)
    const answer = JSON.stringify({ do: 'answer', question: questions[0].id, decision: 'approved' })
    const answered = await fetch(`${again}/v1/threads/one/commands`, {
      method: 'POST',
      headers: KEY,
      body: answer,
    })
    expect(answered.status).toBe(200)
    const state = await read(`${again}/v1/threads/one`)
    expect(state.ended.outcome).toBe('success')
    second.child.kill('SIGTERM')
    expect((await second.exit).code).toBe(0)
  })

  test('refuses to listen for other computers without an API key', async () => {
    const { exit } = serveIn(folderWithGraph(), ['--graphs', '.', '--host', '0.0.0.0'], {
      ESCAPEMENT_KEYS: '',
    })
    const { code, err } = await exit
    expect([code, err]).toEqual([2, expect.stringContaining('no API key is set')])
  })

  test('asks for the names of a service that listens on all addresses', async () => {
    const { exit } = serveIn(folderWithGraph(), ['--graphs', '.', '--host', '0.0.0.0'])
    const { code, err } = await exit
    expect([code, err]).toEqual([2, expect.stringContaining('set ESCAPEMENT_HOSTS=')])
  })
})

describe('accepted hosts and origins', () => {
  test('come from the environment, also on loopback', async () => {
    const { ready, child, exit } = serveIn(folderWithGraph(), ['--graphs', '.'], {
      ESCAPEMENT_HOSTS: 'agents.example',
      ESCAPEMENT_ORIGINS: 'https://desk.example',
    })
    const { url } = await ready
    const preflight = await fetch(`${url}/chat`, {
      method: 'OPTIONS',
      headers: { origin: 'https://desk.example', 'access-control-request-method': 'POST' },
    })
    expect(preflight.headers.get('access-control-allow-origin')).toBe('https://desk.example')
    const { port } = new URL(url)
    const statuses = ['agents.example', 'localhost', 'evil.example'].map(host => {
      const { promise, resolve } = Promise.withResolvers<number | undefined>()
      request({ port, path: '/openapi.json', headers: { host } }, answer => {
        resolve(answer.resume().statusCode)
      }).end()
      return promise
    })
    expect(await Promise.all(statuses)).toEqual([200, 200, 403])
    child.kill('SIGTERM')
    await exit
  })

  test('an origin that is none is refused', async () => {
    const environment = { ESCAPEMENT_ORIGINS: 'desk.example' }
    const { exit } = serveIn(folderWithGraph(), ['--graphs', '.'], environment)
    const { code, err } = await exit
    expect([code, err]).toEqual([2, expect.stringContaining('ESCAPEMENT_ORIGINS: expected')])
  })
})

test('a client resumes without a hole or a repeat after the service was killed', async () => {
  const folder = folderWithGraph()
  const args = ['--graphs', '.', '--store', 'threads.db']
  const first = serveIn(folder, args)
  const { url } = await first.ready
  const client = createClient(url, { key: 'k' })
  const thread = await client.start('ask', {}, { thread: 'one' })
  const seqs: number[] = []
  const asked = Promise.withResolvers<void>()
  const read = async () => {
    for await (const event of thread.events()) {
      if (event.type !== 'token') seqs.push(event.seq)
      if (event.type === 'question') asked.resolve()
    }
  }
  const end = read()
  await asked.promise
  first.child.kill('SIGKILL')
  await first.exit
  await serveIn(folder, [...args, '--port', new URL(url).port]).ready
  const [question] = await client.questions()
  await thread.answer(question?.id ?? '', 'approved')
  await end
  const { seq } = await thread.state()
  expect(seqs).toEqual(Array.from({ length: seq + 1 }, (_, index) => index))
})

test('a LangGraph client resumes without a hole or a repeat after the service was killed', async () => {
  const folder = folderWithGraph()
  const args = ['--graphs', '.', '--store', 'threads.db']
  const first = serveIn(folder, args)
  const { url } = await first.ready
  const client = new Client({ apiUrl: `${url}/langgraph`, defaultHeaders: KEY })
  const reconnect = { reconnectDelayMs: () => 50, maxReconnectAttempts: 200 }
  const stream = client.threads.stream('one', { assistantId: 'ask', ...reconnect })
  const lifecycle: string[] = []
  stream.onEvent(({ method, params }) => {
    if (method === 'lifecycle') lifecycle.push(params.data.event)
  })
  const until = async (event: string) => {
    while (lifecycle.at(-1) !== event) await new Promise(resolve => setTimeout(resolve, 10))
  }
  await stream.run.start({ input: {} })
  await until('interrupted')
  first.child.kill('SIGKILL')
  await first.exit
  await serveIn(folder, [...args, '--port', new URL(url).port]).ready
  const [{ interruptId = '' } = {}] = stream.interrupts
  await stream.input.respond({ namespace: [], interrupt_id: interruptId, response: true })
  await until('completed')
  await stream.close()
  expect(lifecycle).toEqual(['running', 'interrupted', 'running', 'completed'])
})

test('two services on one store apply commands of either, each once', async () => {
  const one = await service()
  const two = await service({ file: one.file })
  const { state } = await askingThread(one)
  const answer = { do: 'answer', question: state.questions[0].id, decision: 'approved' }
  const headers = { 'idempotency-key': 'k' }
  const path = '/v1/threads/one/commands'
  const answers = await Promise.all(
    [one, two].map(of => of.send('POST', path, answer, { headers })),
  )
  expect(answers.map(({ status }) => status)).toEqual([200, 200])
  const rows = await one.runtime.thread('one').rows()
  expect(rows.filter(({ event }) => event.type === 'resume')).toHaveLength(1)
})

test('health, readiness and metrics', async () => {
  const of = await service()
  await askingThread(of)
  expect((await fetch(`${of.url}/healthz`)).status).toBe(200)
  expect((await fetch(`${of.url}/readyz`)).status).toBe(200)
  expect((await fetch(`${of.url}/metrics`)).status).toBe(401)
  const { text } = await of.send('GET', '/metrics', undefined, { role: 'view' })
  expect(text).toContain('escapement_threads{graph="asking",status="waiting",outcome=""} 1')
})
