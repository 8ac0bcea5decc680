/** Open threads after a deploy whose graph has the same nodes: they continue, with the new prompts, models, tools and texts. */
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, expect, test } from 'vitest'
import { createRuntime, type Runtime } from '../../src/host/runtime.ts'
import { bindGraph } from '../../src/kit/bind/bind.ts'
import type { Model } from '../../src/runtime/ports.ts'
import { memoryStore } from '../../src/runtime/store/memory-store.ts'
import { specOf } from '../graph/linted.ts'

const open: Runtime[] = []
afterEach(async () => {
  for (const one of open.splice(0)) await one.close()
})

/** Thinks, asks a person, and thinks again after a rejection. */
function desk(ask: Model['ask'], prompt = 'Be brief.', more: object = {}) {
  const spec = specOf({
    id: 'desk',
    start: 'think',
    input: ['goal'],
    output: ['answer'],
    channels: { goal: { type: 'string' }, answer: { type: 'string' } },
    nodes: {
      think: {
        use: 'model',
        model: 'm',
        prompt,
        in: ['goal'],
        out: { answer: 'text' },
        on: { done: 'ask' },
      },
      ask: {
        use: 'human',
        question: 'Send it?',
        on: { 'human.approved': 'end', 'human.rejected': 'think', 'human.expired': 'end' },
      },
      end: { final: 'success' },
    },
    models: { m: { id: 'm' } },
    retry: { attempts: 3, base: '2s' },
    ...more,
  })
  const model: Model = { id: 'm', timeout: 60_000, ask }
  return bindGraph(spec, { workspace: '.', model: () => model })
}

const usage = { input: 1, output: 1, cached: 0 }
/** Answers with the system prompt. */
const echo: Model['ask'] = async ({ system }) => ({
  text: system?.split('\n')[0] ?? '',
  calls: [],
  usage,
})

const statusOf = async (runtime: Runtime) => (await runtime.thread('t').state()).status
const runtimeOf = (store = memoryStore(), graphs: readonly ReturnType<typeof desk>[] = []) => {
  const runtime = createRuntime({ store, graphs })
  open.push(runtime)
  return runtime
}

test('a waiting thread continues with the prompt of the new version, and keeps its limits', async () => {
  const store = memoryStore()
  const before = desk(echo, 'Be brief.', { limits: { steps: 40 } })
  await runtimeOf(store, [before]).start(before, { goal: 'g' }, { thread: 't' })
  while ((await store.thread('t'))?.status !== 'waiting') await pause(5)
  const runtime = runtimeOf(store, [desk(echo, 'Be polite.', { limits: { steps: 1 } })])
  expect(await runtime.unreachable()).toEqual([])
  const thread = runtime.thread('t')
  expect((await thread.state()).channels).toMatchObject({ answer: 'Be brief.' })
  await thread.answer('ask#1', 'rejected')
  while ((await thread.state()).questions[0]?.id !== 'ask#2') await pause(5)
  await thread.answer('ask#2', 'approved')
  expect(await thread.result()).toMatchObject({
    outcome: 'success',
    output: { answer: 'Be polite.' },
  })
})

test('a model call that waits for its retry during the deploy is repeated with the new prompt', async () => {
  const store = memoryStore()
  const refuse: Model['ask'] = async () => {
    throw Object.assign(new Error('overloaded'), { status: 503 })
  }
  const before = desk(refuse)
  const first = runtimeOf(store, [before])
  await first.start(before, { goal: 'g' }, { thread: 't' })
  const isRefused = async () => {
    const rows = await store.rows('t')
    return rows.some(({ event }) => event.type === 'model.failed')
  }
  while (!(await isRefused())) await pause(5)
  await first.close()
  const runtime = runtimeOf(store, [desk(echo, 'Be polite.')])
  const stop = new AbortController()
  const working = runtime.work({ signal: stop.signal })
  while ((await statusOf(runtime)) !== 'waiting') await pause(20)
  expect((await runtime.thread('t').state()).channels).toMatchObject({ answer: 'Be polite.' })
  stop.abort()
  await working
})

test('of two graphs with the same nodes, the last one continues the threads', async () => {
  const store = memoryStore()
  const [old, young] = [desk(echo), desk(echo, 'Be polite.')]
  const runtime = runtimeOf(store, [old, young])
  await runtime.start(young, { goal: 'g' }, { thread: 't' })
  while ((await statusOf(runtime)) !== 'waiting') await pause(5)
  const again = runtimeOf(store, [old, young])
  await again.thread('t').answer('ask#1', 'rejected')
  while ((await again.thread('t').state()).questions[0]?.id !== 'ask#2') await pause(5)
  expect((await again.thread('t').state()).channels).toMatchObject({ answer: 'Be polite.' })
})
