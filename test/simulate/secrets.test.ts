/** What a simulation stores and shows has no secrets of the environment, also without a redactor of its subject. */
import { afterAll, expect, test } from 'vitest'
import { memoryStore } from '../../src/runtime/store/memory-store.ts'
import { parseSpec } from '../../src/core/graph/spec/read.ts'
import { bindGraph } from '../../src/kit/bind/bind.ts'
import { tool } from '../../src/kit/tool.ts'
import type { Graph } from '../../src/runtime/ports.ts'
import { monteCarlo } from '../../src/simulate/monte/monte.ts'
import { htmlReport } from '../../src/simulate/report/html.ts'
import { junitReport } from '../../src/simulate/report/junit.ts'
import type { CreateSystem } from '../../src/simulate/run/fake-system.ts'
import { simulate } from '../../src/simulate/run/simulate.ts'
import { shop, subjectOf } from './fixture.ts'

const SECRET = 'simplesecretvalue4242'
process.env.SHOP_TOKEN = SECRET
afterAll(() => {
  delete process.env.SHOP_TOKEN
})

/** A graph that calls one tool, which the fake system replaces. */
function calling(system: CreateSystem) {
  const spec = parseSpec({
    ...{ escapement: 1, id: 'call', start: 'look', tools: { login: { use: 'code' } } },
    channels: { got: { default: null } },
    nodes: {
      look: { use: 'tool', tool: 'login', out: { got: 'result' }, on: { done: 'end' } },
      end: { final: 'success' },
    },
  })
  const login = tool({
    ...{ name: 'login', description: 'Logs in.', inputSchema: { type: 'object' }, effects: 'read' },
    execute: () => null,
  })
  return subjectOf(bindGraph(spec, { tools: { login } }) as Graph, { seeds: 3 }, system)
}

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

test('the journal of a run in memory has none of them either', async () => {
  const subject = calling(() => ({ tools: { login: () => ({ url: `/?key=${SECRET}` }) } }))
  const text = JSON.stringify(await simulate(subject, { seed: 1 }))
  expect(text).toContain('/?key=[redacted]')
  expect(text).not.toContain(SECRET)
})

test('a token that is minted at each call makes no run nondeterministic', async () => {
  const subject = calling(() => {
    let session = ''
    return {
      facts: () => ({ session }),
      tools: {
        login: () => {
          session = `ghp_${crypto.randomUUID().replaceAll('-', '').padEnd(36, '0')}`
          return { session }
        },
      },
    }
  })
  const report = await monteCarlo(subject.scenario, { default: subject })
  expect(report.nondeterministic).toEqual([])
})

test('reports show without them where two journals differ', async () => {
  const subject = calling(() => ({
    tools: { login: () => ({ url: `/?key=${SECRET}&n=${crypto.randomUUID()}` }) },
  }))
  const report = await monteCarlo(subject.scenario, { default: subject })
  for (const text of [JSON.stringify(report), htmlReport(report), junitReport(report)]) {
    expect(text).toContain('/?key=[redacted]')
    expect(text).not.toContain(SECRET)
  }
})
