/**
 * The load of a service: `node test/load/main.ts [--idle 1000] [--threads 200] [--seconds 30] [--starts 50]`. Prints what it measured, and exits with 1
 * for a lost event. Beside it runs a bare Hono app.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { answerIdle, type Client, openStream, percentile, post, readJson } from './clients.ts'

const { values } = parseArgs({
  options: {
    idle: { type: 'string', default: '1000' },
    threads: { type: 'string', default: '200' },
    seconds: { type: 'string', default: '30' },
    starts: { type: 'string', default: '50' },
    steps: { type: 'string', default: '2000' },
  },
})
const [idle, threads, seconds, starts, steps] = [
  Number(values.idle),
  Number(values.threads),
  Number(values.seconds),
  Number(values.starts),
  Number(values.steps),
]
const PACE = 500
const folder = mkdtempSync(join(tmpdir(), 'load-'))
const children: ChildProcess[] = []
const megabytes = (bytes: unknown) => Math.round(Number(bytes) / 1_048_576)
const say = (text: string) => process.stdout.write(`${text}\n`)

function child(kind: string, file: string, ...more: readonly string[]) {
  const process = fork(
    join(import.meta.dirname, 'server.ts'),
    [kind, join(folder, file), ...more],
    {
      execArgv: ['--expose-gc'],
    },
  )
  children.push(process)
  const next = () => new Promise<Record<string, never>>(done => process.once('message', done))
  const memory = async () => {
    const answer = next()
    process.send('memory')
    const { heap, rss } = await answer
    return `${megabytes(heap)} MB of heap after a collection (${megabytes(rss)} MB resident)`
  }
  return { process, first: next(), memory }
}

try {
  const service = child('service', 'service.db')
  const bare = child('bare', 'bare.db')
  const url = String((await service.first).url)
  const bareUrl = String((await bare.first).url)
  const lost = await streams(url, service.memory)
  await latency(url, bareUrl)
  await timePerStep()
  process.exitCode = lost > 0 ? 1 : 0
} finally {
  for (const one of children) one.kill('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
}

/** Idle streams beside running threads, each with a stream that counts its events. */
async function streams(url: string, memory: () => Promise<string>): Promise<number> {
  await post(`${url}/v1/threads`, { graph: 'waiting', thread: 'idle' })
  const idleClients: Client[] = []
  for (let n = 0; n < idle; n++) {
    idleClients.push(openStream(`${url}/v1/threads/idle/stream`))
    if (n % 50 === 49) await Promise.all(idleClients.map(({ opened }) => opened))
  }
  const before = await memory()
  const running = Math.round((seconds * 1_000) / PACE)
  const clients = await Promise.all(
    Array.from({ length: threads }, async (_, n) => {
      await pause((n * PACE) / threads)
      const thread = `busy-${n}`
      await post(`${url}/v1/threads`, {
        graph: 'ticking',
        thread,
        input: { steps: running, pace: PACE },
      })
      return { thread, client: openStream(`${url}/v1/threads/${thread}/stream`) }
    }),
  )
  await pause((seconds * 1_000) / 2)
  const middle = await memory()
  await Promise.all(clients.map(({ client }) => client.ended))
  const after = await memory()
  let [lost, repeated, received] = [0, 0, 0]
  for (const { thread, client } of clients) {
    const { seq } = await readJson(`${url}/v1/threads/${thread}`)
    const seqs = new Set(client.seqs)
    lost += seq + 1 - seqs.size
    repeated += client.seqs.length - seqs.size
    received += client.seqs.length
  }
  await answerIdle(url)
  const over = pause(30_000)
  await Promise.race([Promise.all(idleClients.map(({ ended }) => ended)), over])
  const { seq: last } = await readJson(`${url}/v1/threads/idle`)
  const missed = idleClients.filter(({ seqs }) => new Set(seqs).size !== last + 1).length
  say(`streams: ${idle} idle clients, ${threads} running threads, ${seconds} s`)
  say(`  events received by the clients of running threads: ${received}`)
  say(`  lost: ${lost}, repeated: ${repeated}, idle clients without the last event: ${missed}`)
  for (const [when, size] of Object.entries({ before, middle, after }))
    say(`  memory of the service, ${when}: ${size}`)
  return lost + missed
}

/** Starts at a constant rate: until the response (the first event is stored), and until a stream has the first event. */
async function latency(url: string, bareUrl: string): Promise<void> {
  const stored: number[] = []
  const streamed: number[] = []
  const bare: number[] = []
  const count = starts * 10
  const begin = performance.now()
  const all: Promise<void>[] = []
  for (let n = 0; n < count; n++) {
    await pause(Math.max(0, begin + (n * 1_000) / starts - performance.now()))
    const thread = `start-${n}`
    const from = performance.now()
    const one = async () => {
      await post(`${url}/v1/threads`, { graph: 'ticking', thread, input: { steps: 1, pace: 0 } })
      stored.push(performance.now() - from)
      await openStream(`${url}/v1/threads/${thread}/stream`).firstBatch
      streamed.push(performance.now() - from)
    }
    const beside = async () => {
      const start = performance.now()
      await post(`${bareUrl}/v1/threads`, { graph: 'ticking', thread })
      bare.push(performance.now() - start)
    }
    all.push(one(), beside())
  }
  await Promise.all(all)
  const line = (name: string, times: readonly number[]) =>
    say(
      `  ${name}: p50 ${percentile(times, 0.5)} ms, p95 ${percentile(times, 0.95)} ms, p99 ${percentile(times, 0.99)} ms`,
    )
  say(`starts: ${starts} a second, ${count} in all`)
  line('start until the first event is stored (201)', stored)
  line('start until a stream has its first event', streamed)
  line('bare Hono app, a POST', bare)
}

/** One thread without pace: `drive` alone, and through the service, without and with a client that reads its stream. */
async function timePerStep(): Promise<void> {
  const alone: number[] = []
  const unread: number[] = []
  const read: number[] = []
  for (let round = 0; round < 5; round++) {
    const one = child('alone', `alone-${round}.db`, String(steps))
    alone.push(Number((await one.first).ms) / steps)
    one.process.kill('SIGKILL')
    unread.push(await servedStep(`unread-${round}.db`, false))
    read.push(await servedStep(`read-${round}.db`, true))
  }
  const own = percentile(alone, 0.5)
  const added = (times: readonly number[]) => {
    const value = percentile(times, 0.5)
    return `${value} ms (${Math.round((value / own - 1) * 100)} % added)`
  }
  say(`time per step, ${steps} steps, the median of 5 rounds`)
  say(`  drive alone: ${own} ms`)
  say(`  through the service: ${added(unread)}`)
  say(`  through the service, with a client on its stream: ${added(read)}`)
}

async function servedStep(file: string, isRead: boolean): Promise<number> {
  const service = child('service', file)
  const url = String((await service.first).url)
  await post(`${url}/v1/threads`, { graph: 'ticking', thread: 't', input: { steps, pace: 0 } })
  if (isRead) await openStream(`${url}/v1/threads/t/stream`).ended
  else
    while ((await readJson(`${url}/v1/threads?status=ended`)).threads.length === 0) await pause(500)
  const text = await (await fetch(`${url}/v1/threads/t/rows`)).text()
  const times = text
    .trim()
    .split('\n')
    .map(row => JSON.parse(row).event.at as number)
  service.process.kill('SIGKILL')
  return ((times.at(-1) ?? 0) - (times[0] ?? 0)) / steps
}
