/** Healthy agents whose work resembles a loop are not disturbed, on any path. */
import { expect, test } from 'vitest'
import { seenInGraph, seenInTrace } from '../attack/loop-paths.ts'
import { seenAt, type Shape } from '../attack/loops.ts'
import { HEALTHY } from './agents.ts'

/** What each agent was disturbed by. */
const disturbed = async (see: (agent: Shape) => unknown) => {
  const seen = HEALTHY.map(async agent => [agent.name, await see(agent)] as const)
  return (await Promise.all(seen)).filter(([, seen]) => seen !== undefined)
}

test('none of 60 healthy agents is disturbed in a wrapped agent', async () => {
  expect(new Set(HEALTHY.map(({ name }) => name)).size).toBe(60)
  expect(await disturbed(seenAt)).toEqual([])
})

test('none of 60 healthy agents is disturbed in a recorded trace', async () => {
  expect(await disturbed(seenInTrace)).toEqual([])
})

test('none of 55 healthy agents is disturbed as a graph agent, which has no chats', async () => {
  const seen = await disturbed(seenInGraph)
  expect(seen.filter(([, seen]) => seen !== 'other')).toEqual([])
  expect(seen.map(([name]) => name)).toEqual(
    HEALTHY.flatMap(({ name }) => (/^(a chat|an interview)/.test(name) ? [name] : [])),
  )
}, 60_000)
