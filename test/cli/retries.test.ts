/** `escapement show` lists the attempts of tools and models, and what made them. */
import { expect, it } from 'vitest'
import { newDesks, spec } from './desk.ts'

const newDesk = newDesks()

const CALLS = spec(`
nodes:
  A: { use: tool, tool: mine, args: {}, on: { done: E, error: B } }
  B: { use: tool, tool: mine, args: {}, on: { done: E, error: E } }
  E: { final: success }
tools:
  mine: { use: ./mine.mjs#mine }
retry: { attempts: 2 }
breaker: { threshold: 99 }
`)

/** Two attempts of the first call fail, each after three tries of its SDK; the second call succeeds. */
const TOOL = `let calls = 0
export const mine = {
  name: 'mine', description: '', parameters: {}, effects: 'read', idempotent: true, timeout: 1000, parse: args => args,
  async execute(args, { tried }) {
    if (++calls > 2) return 'done'
    tried(3)
    throw Object.assign(new Error('down'), { status: 503 })
  },
}
`

it('as a line for people, and as JSON', async () => {
  const desk = newDesk()
  desk.file('mine.mjs', TOOL)
  expect(
    await desk.type('run', desk.file('calls.yaml', CALLS), '--thread', 't', '--clock', 'virtual'),
  ).toMatchObject({ code: 0 })
  expect((await desk.type('show', 't')).out).toContain(
    '  retries   tool:mine 7 attempts, 2 calls; retried 4 by its SDK, 1 by the runtime, 1 by the model\n',
  )
  const { retries } = JSON.parse((await desk.type('show', 't', '--json')).out) as {
    retries: unknown
  }
  expect(retries).toEqual([
    { dependency: 'tool:mine', calls: 2, attempts: 7, sdk: 4, runtime: 1, model: 1 },
  ])
})
