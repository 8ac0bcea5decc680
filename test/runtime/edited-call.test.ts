/** A person edits the arguments of a call: the model reads what was called, and the watchdog compares it. */
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { createAgent, type Message, tool } from '../../src/index.ts'
import type { Model } from '../../src/runtime/ports.ts'
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
    'A person edited the arguments of this call before it was made: {"to":"ada","cents":100}. They wrote: The limit is 100\n\nIts result:\n'

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
