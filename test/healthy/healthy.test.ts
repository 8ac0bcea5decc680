/** Healthy agents whose work resembles a loop are not disturbed, on any path. */
import { expect, test } from 'vitest'
import { z } from 'zod'
import { createAgent } from '../../src/host/definition/create-agent.ts'
import { tool } from '../../src/kit/tool.ts'
import type { Model } from '../../src/runtime/ports.ts'
import { play } from '../../src/testing/play.ts'
import { seenInGraph, seenInTrace } from '../attack/loop-paths.ts'
import { seenAt, type Shape } from '../attack/loops.ts'
import { HEALTHY } from './agents.ts'
import { CHECKED } from './more-agents.ts'

/** What each agent was disturbed by. */
const disturbed = async (see: (agent: Shape) => unknown) => {
  const seen = HEALTHY.map(async agent => [agent.name, await see(agent)] as const)
  return (await Promise.all(seen)).filter(([, seen]) => seen !== undefined)
}

test(`none of ${HEALTHY.length} healthy agents is disturbed in a wrapped agent`, async () => {
  expect(new Set(HEALTHY.map(({ name }) => name)).size).toBe(HEALTHY.length)
  expect(await disturbed(seenAt)).toEqual([])
})

test('none of those whose writes need no declaration is disturbed in a recorded trace', async () => {
  const seen = await disturbed(seenInTrace)
  const names = CHECKED.map(({ name }) => name)
  expect(seen.filter(([name]) => !names.includes(name))).toEqual([])
})

test('no healthy agent is disturbed as a graph agent, which has no chats', async () => {
  const seen = await disturbed(seenInGraph)
  expect(seen.filter(([, seen]) => seen !== 'other')).toEqual([])
  expect(seen.map(([name]) => name)).toEqual(
    HEALTHY.flatMap(({ name }) => (/^(a chat|an interview)/.test(name) ? [name] : [])),
  )
}, 60_000)

test('an agent mends one of 24 failures after the other, although its test tool throws', async () => {
  let failing = 24
  let turn = 0
  const inputSchema = z.looseObject({})
  const edit = tool({
    ...{ description: 'Edits.', inputSchema, effects: 'write' },
    execute() {
      failing--
      return 'ok'
    },
  })
  const runTests = tool({
    ...{ description: 'Runs the tests.', inputSchema, effects: 'read', retry: { attempts: 1 } },
    execute() {
      if (failing > 0) throw new Error(`Tests: ${failing} failed, ${30 - failing} passed`)
      return 'ok'
    },
  })
  const model: Model = {
    id: 'scripted',
    timeout: 1_000,
    async ask({ tools }) {
      turn++
      if (tools.length === 0 || (failing === 0 && turn % 2)) return { text: 'The end.', calls: [] }
      const args = { file: `part-${turn}.ts` }
      const call = turn % 2 ? { tool: 'edit', args } : { tool: 'run_tests', args: {} }
      return { text: '', calls: [{ id: `call-${turn}`, ...call }] }
    },
  }
  const tools = { edit, run_tests: runTests }
  const agent = createAgent({ id: 'mending', model, tools, limits: { steps: 500 } })
  const { outcome, findings } = await play(agent, { input: { goal: 'Make the tests pass.' } })
  expect({ outcome, failing, findings }).toEqual({ outcome: 'success', failing: 0, findings: [] })
})
