/** A person edits the arguments of a call: the model reads what was called, and the watchdog compares it. */
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import {
  createAgent,
  createRuntime,
  defineGraph,
  done,
  memoryStore,
  type Message,
  tool,
} from '../../src/index.ts'
import type { CustomNode } from '../../src/kit/nodes/node.ts'
import type { Model, Task } from '../../src/runtime/ports.ts'
import { play } from '../../src/testing/play.ts'

/** Asks for the calls in order, then ends. `read` gets the messages of each request. */
function scripted(
  requests: readonly object[],
  read: (messages: readonly Message[]) => void,
): Model {
  let turn = 0
  return {
    id: 'scripted',
    timeout: 1_000,
    async ask({ messages }) {
      read(messages)
      const args = requests[turn++]
      return args
        ? { text: '', calls: [{ id: `c${turn}`, tool: 'pay', args: { ...args } }] }
        : { text: 'Done.', calls: [] }
    },
  }
}

const pay = (execute: (args: { to: string; cents: number }) => unknown) =>
  tool({
    description: 'Pays',
    inputSchema: z.object({ to: z.string(), cents: z.number() }),
    effects: 'write',
    confirm: () => true,
    execute,
  })

describe('a call that a person has edited', () => {
  const asked = { to: 'ada', cents: 500 }
  const edited = {
    decision: 'edited',
    output: { to: 'ada', cents: 100 },
    note: 'The limit is 100',
  } as const
  const EDITED =
    'A person edited the arguments of this call: {"to":"ada","cents":100}. They wrote: The limit is 100\n\nIts result:\n'

  test('is shown to the model with the arguments, the note and the result', async () => {
    let last: readonly Message[] = []
    const agent = createAgent({
      id: 'paying',
      model: scripted([asked], messages => (last = messages)),
      tools: { pay: pay(() => ({ paid: true })) },
    })
    await play(agent, { input: { goal: 'Pay' }, answers: [edited] })
    expect(last.at(-1)).toMatchObject({ role: 'tool', content: `${EDITED}{"paid":true}`, ok: true })
  })

  test('is shown in the same way if it fails', async () => {
    let last: readonly Message[] = []
    const agent = createAgent({
      id: 'paying',
      model: scripted([asked], messages => (last = messages)),
      tools: {
        pay: pay(() => {
          throw Object.assign(new Error('the account is closed'), { status: 422 })
        }),
      },
    })
    await play(agent, { input: { goal: 'Pay' }, answers: [edited] })
    const { content = '' } = last.at(-1) ?? {}
    expect(content.startsWith(EDITED)).toBe(true)
    expect(content).toContain('the account is closed')
  })

  test('does not repeat a call with the same requested arguments', async () => {
    const paid: number[] = []
    const agent = createAgent({
      id: 'paying',
      model: scripted(
        Array.from({ length: 6 }, () => asked),
        () => {},
      ),
      tools: { pay: pay(({ cents }) => void paid.push(cents)) },
    })
    let cents = 100
    const { findings } = await play(agent, {
      input: { goal: 'Pay' },
      answers: () => ({ decision: 'edited', output: { to: 'ada', cents: cents++ } }),
    })
    expect(paid).toEqual([100, 101, 102, 103, 104, 105])
    expect(findings).toEqual([])
  })

  test('repeats a call if both are edited to the same arguments', async () => {
    const agent = createAgent({
      id: 'paying',
      model: scripted(
        Array.from({ length: 6 }, (_, index) => ({ to: 'ada', cents: index })),
        () => {},
      ),
      tools: { pay: pay(() => ({ paid: true })) },
    })
    const { findings } = await play(agent, {
      input: { goal: 'Pay' },
      answers: question =>
        question.options.some(({ decision }) => decision === 'edited') ? edited : undefined,
    })
    expect(findings.map(({ detector }) => detector)).toContain('sequence')
  })
})

describe('an edited call is the same when it is answered from the journal', () => {
  const OUTPUT = { to: 'ada', cents: 100 }
  const withDefault = (more: object = {}) =>
    tool({
      description: 'Pays',
      inputSchema: z.object({
        to: z.string(),
        cents: z.number(),
        currency: z.string().default('EUR'),
      }),
      effects: 'read',
      confirm: ({ cents }: { cents: number }) => cents === 500,
      execute: () => 'paid',
      ...more,
    })

  test('a node in code that asks a model about it performs it again after the next question', async () => {
    const work = async (task: Task) => {
      const first = await task.call('pay', { to: 'ada', cents: 1 })
      const messages = [{ role: 'user', content: JSON.stringify(first) }] as const
      await task.ask('model', { system: '', tools: [], messages, command: 'optional' })
      const second = await task.call('pay', { to: 'ada', cents: 2 })
      return done(second.ok ? 'paid' : 'lost', {})
    }
    const graph = defineGraph({
      id: 'paying',
      start: 'work',
      nodes: {
        work: { use: work as CustomNode, on: { 'done.paid': 'end', 'done.lost': 'failed' } },
        end: { final: 'success' },
        failed: { final: 'failure' },
      },
      tools: { pay: withDefault({ confirm: () => true }) },
      models: { model: scripted([], () => {}) },
    })
    const { outcome } = await play(graph, {
      input: {},
      answers: () => ({ decision: 'edited', output: OUTPUT }),
    })
    expect(outcome).toBe('success')
  })

  test.each([
    ['made', {}],
    [
      'refused by an open breaker',
      {
        breaker: { threshold: 1, reset: '1h' },
        retry: { attempts: 1 },
        execute: () => {
          throw Object.assign(new Error('down'), { status: 503 })
        },
      },
    ],
  ])('a fork with recorded answers asks no model again: %s', async (_, more) => {
    const asked: string[] = []
    const model = scripted(
      [
        { to: 'eve', cents: 1 },
        { to: 'ada', cents: 500 },
      ],
      messages => asked.push(messages.at(-1)?.content ?? ''),
    )
    const agent = createAgent({ id: 'paying', model, tools: { pay: withDefault(more) } })
    const runtime = createRuntime({ store: memoryStore(), graphs: [agent] })
    const thread = await runtime.start(agent, { goal: 'Pay' }, { thread: 't' })
    for await (const _ of thread.events({ until: 'waiting' }));
    const [question] = (await thread.state()).questions
    await thread.answer(question?.id ?? '', { decision: 'edited', output: OUTPUT, note: 'less' })
    await thread.result()
    expect(asked.at(-1)).toMatch(
      /^A person edited the arguments of this call: {"to":"ada","cents":100,"currency":"EUR"}\. They wrote: less/,
    )
    const before = asked.length
    const at = (await thread.rows()).find(({ event }) => event.type === 'model.done')?.seq ?? 0
    const fork = await thread.fork({ at, as: 'f', effects: 'recorded' })
    await fork.drive()
    expect(asked.length).toBe(before)
    await runtime.close()
  })
})

test('idempotent writes with a default of their own each time are a repetition', async () => {
  let numbers = 0
  const once = tool({
    description: 'Pays',
    inputSchema: z.object({ cents: z.number(), request: z.number().default(() => numbers++) }),
    effects: 'write',
    idempotent: true,
    execute: () => ({ paid: true }),
  })
  const model = scripted(
    Array.from({ length: 6 }, () => ({ cents: 5 })),
    () => {},
  )
  const agent = createAgent({ id: 'paying', model, tools: { pay: once } })
  const { findings } = await play(agent, { input: { goal: 'Pay' } })
  expect(findings[0]?.detector).toBe('sequence')
})
