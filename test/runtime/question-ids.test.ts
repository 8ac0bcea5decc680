/** Each question of a thread has an id of its own: a receiver that drops duplicates, and an answer that comes late, must not mix two questions about one call. */
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { createRuntime, defineGraph, memoryStore, type Notifier, tool } from '../../src/index.ts'
import { refold } from '../../src/core/advance.ts'
import { foldRows } from '../../src/runtime/store/replay.ts'
import type { Row } from '../../src/core/run/run.ts'
import { effectsOf } from '../../src/core/review/ledger.ts'

function asking() {
  const sent: string[] = []
  const told: string[] = []
  const send = tool({
    name: 'send',
    description: 'Sends.',
    effects: 'write',
    confirm: true,
    inputSchema: z.object({}),
    async execute(_, { idempotencyKey }) {
      if (sent.push(idempotencyKey) > 2) return 'sent'
      throw Object.assign(new Error('HTTP 503'), { status: 503 })
    },
  })
  const graph = defineGraph({
    id: 'mail',
    start: 'work',
    breaker: { threshold: 9 },
    retry: { attempts: 5, base: 1, cap: 1 },
    tools: { send },
    nodes: {
      work: { use: 'tool', tool: 'send', on: { done: 'end', error: 'bad' } },
      end: { final: 'success' },
      bad: { final: 'failure' },
    },
  })
  const hook: Notifier = {
    name: 'hook',
    timeout: 1_000,
    attempts: 1,
    send: async ({ review }, { id }) => {
      told.push(`${id} ${review.about}`)
      return 'ok'
    },
  }
  const store = memoryStore()
  const runtime = createRuntime({ store, graphs: [graph], notifiers: [hook] })
  return { graph, store, runtime, sent, told }
}

async function answered({ runtime, graph }: ReturnType<typeof asking>) {
  const thread = await runtime.start(graph, {}, { thread: 't' })
  await thread.drive()
  await thread.answer('work#1/1?', { decision: 'approved' })
  await thread.drive()
  await thread.answer('work#1/1?2', { decision: 'not-applied' })
  await thread.drive()
  return thread
}

describe('the questions about one call', () => {
  it('have ids of their own, and so have their notifications and answers', async () => {
    const trial = asking()
    const thread = await answered(trial)
    expect((await thread.state()).questions.map(({ id }) => id)).toEqual(['work#1/1?3'])
    expect(trial.told).toEqual([
      't/work#1/1?/0/hook permission',
      't/work#1/1?2/0/hook call',
      't/work#1/1?3/0/hook call',
    ])
    expect(await thread.answer('work#1/1?2', { decision: 'not-applied' })).toMatchObject({
      applied: false,
      because: "question 'work#1/1?2' is closed; open questions: work#1/1?3",
    })
    await thread.answer('work#1/1?3', { decision: 'applied', output: 'sent' })
    expect(await thread.drive()).toMatchObject({ ended: { outcome: 'success' } })
    expect(trial.sent).toHaveLength(2)
    const given = await trial.runtime.answered()
    expect(given.map(({ id }) => id)).toEqual(['work#1/1?3', 'work#1/1?2', 'work#1/1?'])
    expect(effectsOf(await trial.store.rows('t'))).toMatchObject([{ kind: 'irreversible' }])
    await trial.runtime.close()
  })

  it('had one id in journals of earlier versions, which replay to the same end', async () => {
    const trial = asking()
    const thread = await answered(trial)
    await thread.answer('work#1/1?3', { decision: 'applied', output: 'sent' })
    const { ended } = await thread.drive()
    const rows = await trial.store.rows('t')
    const earlier = rows.map(row => ({
      ...row,
      event:
        'effect' in row.event
          ? { ...row.event, effect: row.event.effect.replace(/\?\d+$/, '?') }
          : row.event,
    })) as readonly Row[]
    expect(earlier).not.toEqual(rows)
    const run = foldRows(trial.graph.machine, undefined, earlier)
    expect(run?.ended).toEqual(ended)
    expect(effectsOf(earlier)).toEqual(effectsOf(rows))
    await trial.runtime.close()
  })

  it('keep an ignored answer to a closed question ignored', async () => {
    const trial = asking()
    await answered(trial)
    const rows = await trial.store.rows('t')
    const run = foldRows(trial.graph.machine, undefined, rows)
    if (!run) throw new Error('no run')
    const event = { type: 'resume', effect: 'work#1/1?', decision: 'applied', at: run.at } as const
    const row = { seq: run.seq + 1, event, findings: [], verdict: { kind: 'continue' }, edges: [] }
    const next = refold(trial.graph.machine, run, { ...row, ignored: true } as never)
    expect(next.pending).toEqual(run.pending)
    await trial.runtime.close()
  })
})
