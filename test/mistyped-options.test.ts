/** A mistyped option is refused with the option that was meant. Ignored, it would run a real tool or start a thread twice. */
import { expect, test } from 'vitest'
import { createApp } from '../src/http.ts'
import { createAgent, createRuntime, memoryStore } from '../src/index.ts'
import { modelOf, play, says } from '../src/testing.ts'

const agent = createAgent({ id: 'clerk', model: modelOf([says('Done.')]), tools: {} })
const runtimeWith = (more: object) =>
  createRuntime({ store: memoryStore(), graphs: [agent], ...more })
const input = { goal: 'Count the clocks.' }

const CALLS: [string, () => unknown, string][] = [
  [
    'createRuntime',
    async () => runtimeWith({ leasetime: 9_000 }),
    "leasetime: is unknown; did you mean 'leaseTime'?",
  ],
  [
    'start',
    () => runtimeWith({}).start(agent, input, { onse: 'order-7' } as never),
    "onse: is unknown; did you mean 'once'?",
  ],
  [
    'createApp',
    async () => createApp(runtimeWith({}), { origin: ['https://shop.example'] } as never),
    "origin: is unknown; did you mean 'origins'?",
  ],
  [
    'play',
    () => play(agent, { input, tool: {} } as never),
    "tool: is unknown; did you mean 'tools'?",
  ],
]

test.each(CALLS)('%s refuses a mistyped option', async (_, call, message) => {
  await expect(call()).rejects.toThrow(new TypeError(message))
})

test('an option that is undefined counts as left out', async () => {
  const runtime = runtimeWith({ leasetime: undefined })
  const thread = await runtime.start(agent, input, { onse: undefined } as never)
  expect(await thread.result()).toMatchObject({ outcome: 'success' })
})
