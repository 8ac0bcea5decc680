/** People in a simulated run: the decision of a scenario where it fits, what is true about a call in doubt, and no answer otherwise. */
import { expect, test } from 'vitest'
import { z } from 'zod'
import { defineGraph } from '../../src/index.ts'
import { bindGraph } from '../../src/kit/bind/bind.ts'
import { parseSpec } from '../../src/core/graph/spec/read.ts'
import { tool } from '../../src/kit/tool.ts'
import type { Graph, Tool } from '../../src/runtime/ports.ts'
import { Writes } from '../../src/simulate/inject/writes.ts'
import { monteCarlo } from '../../src/simulate/monte/monte.ts'
import { replayThread } from '../../src/simulate/replay/replay.ts'
import { markdownReport } from '../../src/simulate/report/markdown.ts'
import { htmlReport } from '../../src/simulate/report/html.ts'
import { simulate } from '../../src/simulate/run/simulate.ts'
import type { CreateSystem } from '../../src/simulate/run/fake-system.ts'
import type { ScenarioInput } from '../../src/simulate/scenario/scenario.ts'
import { subjectOf } from './fixture.ts'

type Parts = Readonly<{
  outputSchema?: z.ZodType
  confirm?: boolean
  deadline?: string
  retry?: number
}>

/** A node sends a letter. The write must not be repeated. */
function post({ confirm = false, deadline, retry = 0, ...contract }: Parts = {}): Graph {
  const spec = parseSpec({
    escapement: 1,
    id: 'post',
    start: 'send',
    channels: { number: { default: null } },
    nodes: {
      send: {
        use: 'tool',
        tool: 'send',
        out: { number: 'number' },
        on: { done: 'ok', error: 'no' },
      },
      ok: { final: 'success' },
      no: { final: 'failure' },
    },
    tools: { send: { use: 'code', retry } },
    output: ['number'],
    ...(confirm && { confirm: { send: { question: 'Send it?' } } }),
    ...(deadline && { escape: { review: { deadline } } }),
  } as never)
  const send = tool({
    name: 'send',
    description: 'Sends.',
    inputSchema: z.object({}),
    effects: 'write',
    execute: async () => ({ number: 1 }),
    ...contract,
  })
  return bindGraph(spec, { tools: { send } } as never) as Graph
}

const LOST = { id: 'ack', on: 'tool:send', how: { nth: [1] }, what: 'lostAck' } as const
const BEFORE = { ...LOST, what: { error: 'indeterminate' } } as const

/** Counts the letters that were sent. */
function box() {
  const letters: number[] = []
  const system: CreateSystem = () => {
    letters.length = 0
    return { tools: { send: () => ({ number: letters.push(1) }) } }
  }
  return { letters, system }
}

const inPost = (graph: Graph, input: Partial<ScenarioInput>, system?: CreateSystem) =>
  simulate(subjectOf(graph, input, system), { seed: 1 })

const decisions = ({ journal }: Awaited<ReturnType<typeof inPost>>) =>
  journal.flatMap(({ event }) => (event.type === 'resume' ? [event.decision] : []))

const APPROVING = { people: { decision: 'approved', after: '5m' } } as const

test('a call that took effect is found as applied, and is not repeated', async () => {
  const { letters, system } = box()
  const run = await inPost(post(), { ...APPROVING, faults: [LOST] }, system)
  expect([run.outcome, run.because]).toEqual(['success', 'the goal is reached'])
  expect([decisions(run), letters.length]).toEqual([['applied'], 1])
  expect(run.unanswered).toEqual([])
})

test('a call that took no effect is found as not applied, and is made again if it may be retried', async () => {
  const { letters, system } = box()
  const run = await inPost(post({ retry: 1 }), { ...APPROVING, faults: [BEFORE] }, system)
  expect([run.outcome, decisions(run), letters.length]).toEqual(['success', ['not-applied'], 1])
})

test('the answer has the result that the tool promises', async () => {
  const { system } = box()
  const graph = post({ outputSchema: z.object({ number: z.number() }) })
  const run = await inPost(graph, { ...APPROVING, faults: [LOST] }, system)
  expect([run.outcome, run.output]).toEqual(['success', { number: 1 }])
})

test('an approval and the question about the outcome of the same call have each their answer', async () => {
  const { letters, system } = box()
  const run = await inPost(post({ confirm: true }), { ...APPROVING, faults: [LOST] }, system)
  expect([run.outcome, decisions(run)]).toEqual(['success', ['approved', 'applied']])
  expect(letters).toHaveLength(1)
  // Both questions have one id.
  const replayed = await replayThread({ graph: post({ confirm: true }), rows: run.journal })
  expect([replayed.outcome, decisions(replayed)]).toEqual(['success', ['approved', 'applied']])
  expect(replayed.differsAt).toBeUndefined()
})

test.each(['applied', 'not-applied', 'stop'] as const)(
  'a decision %s of the scenario is given as it is',
  async decision => {
    const run = await inPost(post(), { people: { decision }, faults: [LOST] }, box().system)
    expect(decisions(run).slice(0, 1)).toEqual([decision])
  },
)

test('a decision that does not fit leaves the question open, up to its deadline', async () => {
  const graph = post({ confirm: true, deadline: '1h' })
  const run = await inPost(graph, { people: { decision: 'applied', after: '5m' } }, box().system)
  expect([run.outcome, decisions(run)]).toEqual(['stopped clean', []])
  expect(run.took).toBeLessThan(2 * 3_600_000)
  expect(run.unanswered).toEqual([
    {
      question: 'Send it?',
      because: "question 'send#1/1?' expects one of: approved, rejected, edited, stop",
    },
  ])
})

test('an answer that lacks what it needs is not given again and again', async () => {
  const graph = post({ outputSchema: z.object({ number: z.number() }) })
  const run = await inPost(graph, { people: { decision: 'applied' }, faults: [LOST] })
  expect(run.outcome).not.toBe('crashed')
  expect(run.unanswered).toMatchObject([{ because: expect.stringContaining('is invalid') }])
})

test('a call that has not returned is neither applied nor not applied', async () => {
  const writes = new Writes()
  const { promise, resolve } = Promise.withResolvers<void>()
  const { send } = post().tools
  const made = writes.perform(
    { tool: send as Tool, name: 'send', key: 'a/send#1/1' },
    () => promise,
  )
  const find = () => writes.find('a', { call: 'send#1/1', tool: 'send' })
  expect(find()).toEqual({ state: 'open' })
  resolve()
  await made
  expect(find()).toEqual({ state: 'applied' })
})

test('a write of a child is looked up in the child', async () => {
  const letters: number[] = []
  const system: CreateSystem = () => ({ tools: { send: () => ({ number: letters.push(1) }) } })
  const office = defineGraph({
    id: 'office',
    start: 'hand',
    nodes: {
      hand: { use: 'graph', graph: 'post', on: { done: 'ok', error: 'no' } },
      ok: { final: 'success' },
      no: { final: 'failure' },
    },
    graphs: { post: post({ deadline: '1h' }) },
  } as never) as Graph
  // The deadline of the child passes first, and its parent asks.
  for (const after of ['5m', '90m']) {
    letters.length = 0
    const people = { decision: 'approved', after } as const
    const run = await inPost(office, { people, faults: [LOST] }, system)
    expect([after, run.outcome, letters.length]).toEqual([after, 'success', 1])
    expect([after, decisions(run)]).toEqual([after, after === '5m' ? [] : ['applied']])
  }
})

test('the report lists the questions that no decision fits', async () => {
  const graph = post({ confirm: true, deadline: '1h' })
  const subject = subjectOf(graph, { people: { decision: 'applied' }, seeds: 4 }, box().system)
  const report = await monteCarlo(subject.scenario, { default: subject })
  const because = "question 'send#1/1?' expects one of: approved, rejected, edited, stop"
  expect(report.unanswered).toEqual([{ question: 'Send it?', because, runs: 4 }])
  expect(markdownReport(report)).toContain('Send it?')
  expect(htmlReport(report)).toContain('Send it?')
})
