/** A person rejects calls. Each rejection is an answer about one call, so only the same call again is a loop. */
import { describe, expect, test } from 'vitest'
import { createAgent, tool } from '../../src/index.ts'
import type { Json } from '../../src/core/watch/data/json.ts'
import { play } from '../../src/testing/play.ts'

const NAMES = ['apple', 'boat', 'car', 'drum', 'egg', 'fox', 'gate', 'hat', 'ink', 'jar', 'kite']

type Asked = Readonly<{ tool: string; args: Json }>

const refund = (n: number): Asked => ({
  tool: 'refund',
  args: { order: `A-${1_000 + 37 * n}`, customer: NAMES[n] ?? '', cents: 500 + 111 * n },
})
const same = (): Asked => refund(0)
const pay = (payment: Json): Asked => ({ tool: 'refund', args: { payment } })

type Answer = 'approved' | 'rejected' | 'expired' | { decision: 'rejected'; note: string }

/** What is found in an agent that makes one call after the other, each of which a person answers. */
async function asked(turns: readonly Asked[], answer: (n: number) => Answer) {
  const { findings } = await played(turns, answer, { steps: 1_000 })
  return findings.map(({ detector, reason }) => `${detector} ${reason.code}`)
}

async function played(turns: readonly Asked[], answer: (n: number) => Answer, limits: object) {
  let turn = 0
  let questions = 0
  const write = (confirm: boolean) =>
    tool({
      description: 'Writes',
      inputSchema: { type: 'object' },
      effects: 'write',
      idempotent: true,
      ...(confirm && { confirm: () => true }),
      execute: () => ({ done: true }),
    })
  const agent = createAgent({
    id: 'clerk',
    model: {
      id: 'scripted',
      timeout: 1_000,
      async ask() {
        const call = turns[turn++]
        return call
          ? { text: '', calls: [{ id: `c${turn}`, ...call }] }
          : { text: 'Done.', calls: [] }
      },
    },
    tools: {
      refund: write(true),
      bash: write(true),
      edit: write(false),
      look: tool({
        description: 'Looks',
        inputSchema: { type: 'object' },
        effects: 'read',
        execute: ({ shelf }: { shelf: number }) => {
          throw Object.assign(new Error(`the ${NAMES[shelf] ?? ''} is in the way`), { status: 422 })
        },
      }),
    },
    limits,
  })
  return play(agent, {
    input: { goal: 'Refund' },
    answers: () => answer(questions++),
  })
}

const noted = (n: number): Answer => ({ decision: 'rejected', note: `not the ${NAMES[n] ?? ''}` })
const times = (turn: (n: number) => Asked, count = NAMES.length) =>
  Array.from({ length: count }, (_, n) => turn(n))

describe('rejections of different calls are not a loop', () => {
  test.each<[string, (n: number) => Answer]>([
    ['of all calls', () => 'rejected'],
    ['of the first three', n => (n < 3 ? 'rejected' : 'approved')],
    ['of every second call', n => (n % 2 ? 'approved' : 'rejected')],
    ['with the same note', () => ({ decision: 'rejected', note: 'the budget is frozen' })],
    ['with another note each time', noted],
  ])('%s', async (_, answer) => {
    expect(await asked(times(refund), answer)).toEqual([])
  })

  test('nor are those of one call that was prepared again each time, with another note', async () => {
    const edit = (n: number): Asked => ({ tool: 'edit', args: { text: `A page on ${NAMES[n]}` } })
    const turns = times(edit, 6).flatMap(each => [each, same()])
    expect(await asked(turns, noted)).toEqual([])
  })
})

test('a rejection is not the cause of a spent budget', async () => {
  const { because } = await played([refund(0), refund(1)], () => 'rejected', { modelCalls: 1 })
  expect(because).toBe('the limit of 1 model calls is reached')
})

test.each<[string, (n: number) => Asked]>([
  [
    'a field that is not a comment',
    n => ({ tool: 'refund', args: { order: NAMES[n] ?? '', reason: 'late' } }),
  ],
  ['a command', n => ({ tool: 'bash', args: { command: `rm ${NAMES[n]}`, description: 'clean' } })],
  [
    'a description that is content',
    n => ({ tool: 'refund', args: { order: 'A-1', description: NAMES[n] ?? '' } }),
  ],
  [
    'a field of a record that is not a comment',
    n => pay({ to: NAMES[n] ?? '', cents: 500, reason: 'late' }),
  ],
  ['a name in a record', n => pay({ id: 7, display_name: NAMES[n] ?? '' })],
  ['the description of an article', n => pay({ code: 'A-1', description: NAMES[n] ?? '' })],
  ['a record of nothing but a reason', n => pay({ reason: NAMES[n] ?? '' })],
  ['an item of a list', n => ({ tool: 'refund', args: { to: ['ada', NAMES[n] ?? ''] } })],
])('rejected calls that differ in %s are not a loop', async (_, turn) => {
  expect(await asked(times(turn), () => 'rejected')).toEqual([])
})

describe('the same call that is rejected again is found at the third, also with', () => {
  const command = 'rm -rf build'
  test.each<[string, (n: number) => Asked]>([
    [
      'another reason',
      n => ({ tool: 'refund', args: { order: 'A-1', reason: `for ${NAMES[n]}` } }),
    ],
    [
      'another explanation',
      n => ({ tool: 'bash', args: { command, explanation: NAMES[n] ?? '' } }),
    ],
    [
      'another description',
      n => ({ tool: 'bash', args: { command, description: NAMES[n] ?? '' } }),
    ],
    ['another reason in a record', n => pay({ to: 'ada', reason: `for ${NAMES[n]}` })],
    [
      'another reason in the records of a list',
      n => ({ tool: 'refund', args: { items: [{ id: 1, reason: NAMES[n] ?? '' }] } }),
    ],
    [
      'another description of a command in a record',
      n => ({ tool: 'bash', args: { input: { command, description: NAMES[n] ?? '' } } }),
    ],
    ['other blanks in a record', n => pay({ to: `ada${' '.repeat(n)}`, cents: 500 })],
    [
      'other blanks in a list',
      n => ({ tool: 'refund', args: { to: [`${' '.repeat(n)}ada`], cents: 500 } }),
    ],
    ['other blanks', n => ({ tool: 'refund', args: { order: `A-1${' '.repeat(n)}`, amount: 5 } })],
  ])('%s', async (_, turn) => {
    expect(await asked(times(turn, 3), () => 'rejected')).toEqual(['sequence repeated-sequence'])
    expect(await asked(times(turn), noted)).toEqual(['mistakes failed-rounds'])
    // A person who approves in between decides about the same call.
    expect(await asked(times(turn, 6), n => (n % 2 ? 'rejected' : 'expired'))).not.toEqual([])
  })

  test('a note that names a file and a line, which is not a report', async () => {
    const edit = (n: number): Asked => ({
      tool: 'bash',
      args: { command: 'sed -i s/a/b/ src/a.ts', description: NAMES[n] ?? '' },
    })
    const note = (n: number) => ({
      decision: 'rejected' as const,
      note: `src/a.ts:${n}: error: 1 problem`,
    })
    expect(await asked(times(edit), note)).not.toEqual([])
  })
})

describe('a loop is found', () => {
  test.each<[string, (n: number) => Answer]>([
    ['rejected', () => 'rejected'],
    ['rejected with another note each time', noted],
  ])('if the same call is %s', async (_, answer) => {
    expect(await asked(times(same), answer)).not.toEqual([])
  })

  test('if an approval expires three times, because the person is absent', async () => {
    expect(await asked(times(refund), () => 'expired')).toEqual(['errors repeated-error'])
  })

  test('if two calls are rejected in turn', async () => {
    expect(
      await asked(
        times(n => refund(n % 2)),
        () => 'rejected',
      ),
    ).not.toEqual([])
  })

  test('if other calls fail between the rejections', async () => {
    const look = (n: number): Asked => ({ tool: 'look', args: { shelf: n } })
    const turns = times(look, 8).flatMap((each, n) => [each, refund(n)])
    expect(await asked(turns, () => 'rejected')).toEqual(['mistakes failed-rounds'])
  })
})
