/** `limits.reserve`: the last model call of a spent budget is an answer without tools. */
import { expect, test } from 'vitest'
import { z } from 'zod'
import { createAgent, tool } from '../../src/index.ts'
import { play } from '../../src/testing.ts'
import type { ModelRequest } from '../../src/runtime/ports.ts'

const look = tool({
  name: 'look',
  description: 'Looks.',
  inputSchema: z.looseObject({}),
  effects: 'read',
  execute: async () => 'seen',
})

/** An agent that looks at something new in every turn, and answers once no tools are offered. */
async function playWith(limits: object, keepsCalling = false) {
  const requests: ModelRequest[] = []
  let turn = 0
  const model = {
    id: 'scripted',
    timeout: 1_000,
    async ask(request: ModelRequest) {
      requests.push(request)
      const calls = [{ id: `c${++turn}`, tool: 'look', args: { page: turn } }]
      const isOver = request.tools.length === 0
      return { text: isOver ? 'Seen so far.' : '', calls: isOver && !keepsCalling ? [] : calls }
    },
  }
  const agent = createAgent({
    id: 'reader',
    model: model as never,
    tools: {
      look: { ...look, execute: async ({ page }: { page?: unknown }) => `page ${page}` } as never,
    },
    limits,
  })
  const played = await play(agent, { input: { goal: 'Read.' } })
  return { played, requests }
}

const lastText = (request: ModelRequest | undefined) => request?.messages.at(-1)?.content

test('the last model call of the budget is an answer without tools', async () => {
  const { played, requests } = await playWith({ modelCalls: 3, reserve: 0.1 })
  expect(played.outcome).toBe('success')
  expect(played.output).toEqual({ answer: 'Seen so far.' })
  expect(requests.map(({ tools }) => tools.length)).toEqual([1, 1, 0])
  expect(lastText(requests[2])).toBe(
    'Budget left: 1 of 3 model calls. The budget is spent: this is your last answer. Answer with what you know, and say what is missing.',
  )
})

test('the last answer ends the run although it calls a tool that was not offered', async () => {
  const { played, requests } = await playWith({ modelCalls: 3, reserve: 0.1 }, true)
  expect(played.output).toEqual({ answer: 'Seen so far.' })
  expect(requests).toHaveLength(3)
  expect(played.calls).toHaveLength(2)
})

test('the journal marks the call that uses the reserve', async () => {
  const { played } = await playWith({ modelCalls: 3, reserve: 0.1 })
  const marks = played.events.flatMap(({ event }) =>
    event.type === 'model.called' ? [event.reserve] : [],
  )
  expect(marks).toEqual([undefined, undefined, true])
})

test('the model sees what is left of the budget', async () => {
  const { requests } = await playWith({ toolCalls: 4, reserve: 0.25 })
  expect(requests.map(lastText)).toEqual([
    expect.stringMatching(/^Budget left: /),
    'Budget left: 3 of 4 tool calls.',
    'Budget left: 2 of 4 tool calls.',
    expect.stringMatching(/^Budget left: 1 of 4 tool calls\. The budget is spent/),
  ])
})

test('without the key, nothing is reserved or shown', async () => {
  const { played, requests } = await playWith({ modelCalls: 3 })
  expect(played.because).toMatch(/model calls/)
  expect(requests.every(({ tools }) => tools.length > 0)).toBe(true)
  expect(requests.map(lastText).join()).not.toContain('Budget')
})
