/** A call that fails alike beside one new write after the other: progress excuses the stall a few times, and not for ever. */
import { expect, test } from 'vitest'
import { createAgent, defineDetector, tool } from '../src/index.ts'
import { modelOf, play } from '../src/testing.ts'

const declared = (name: string, effects: 'read' | 'write') =>
  tool({
    ...{ name, description: name, inputSchema: { type: 'object' }, effects },
    execute: async () => 1,
  })

interface Agent {
  readonly effects: 'read' | 'write'
  /** What `file_ticket` does in a round. */
  readonly file: (round: number) => unknown
  readonly noteFirst?: boolean
}

/** An agent that files a ticket in each round, and notes its attempt in the same answer. */
async function filing({ effects, file, noteFirst = false }: Agent) {
  let round = 0
  const model = Array.from({ length: 60 }, (_, index) => {
    const ticket = { tool: 'file_ticket', args: { title: `Ticket ${index}` } }
    const note = { tool: 'save_note', args: { text: `Attempt ${index}` } }
    return { say: '', calls: noteFirst ? [note, ticket] : [ticket, note] }
  })
  const tools = {
    file_ticket: declared('file_ticket', effects),
    save_note: declared('save_note', 'write'),
  }
  const agent = createAgent({ id: 'filing', model: modelOf([]), tools })
  const fakes = { file_ticket: async () => file(round++), save_note: async () => ({ saved: true }) }
  return play(agent, { input: { goal: 'File the tickets.' }, model, tools: fakes })
}

const throwing = (message: string) => () => {
  throw new Error(message)
}

test.each([
  ['a read that fails', { effects: 'read', file: throwing('the index is missing') }],
  ['a write that fails', { effects: 'write', file: throwing('403 Forbidden') }],
  [
    'a write after its note',
    { effects: 'write', file: throwing('403 Forbidden'), noteFirst: true },
  ],
] as const)('%s beside new notes is escaped', async (_, agent) => {
  const { escapes, spent } = await filing(agent)
  expect(escapes[0]?.finding).toMatchObject({ detector: 'errors', members: ['file_ticket'] })
  expect(spent.modelCalls).toBe(12)
})

test('a write that succeeds every sixth time beside new notes is none', async () => {
  const file = (round: number) => ({ ok: round % 6 === 5 })
  const { escapes } = await filing({ effects: 'write', file })
  expect(escapes.filter(({ finding }) => finding.kind !== 'budget')).toEqual([])
})

/** Finds a stall in the fourth note and in each one after it. */
const capped = (idOf: (notes: number) => string) =>
  defineDetector({
    ...{ name: 'cap', version: 1, options: { most: 4 }, start: 0, sees: ['answered'] },
    observe(count, { subject }, { most }) {
      const notes = subject === 'save_note' ? count + 1 : count
      const isFound = notes > count && notes >= most
      return [
        notes,
        isFound ? { kind: 'stall', id: idOf(notes), summary: 'many notes' } : undefined,
      ]
    },
  })

test.each([
  ['an id for all', () => 'notes', false],
  ['an id for each', (notes: number) => `${notes} notes`, false],
  ['an id for all, in a batch that goes on', () => 'notes', true],
] as const)('a custom stall that a new write shows acts: %s', async (_, idOf, goesOn) => {
  const look = declared('look', 'read')
  const tools = { save_note: declared('save_note', 'write'), look }
  const parts = { detectors: [capped(idOf)] }
  const agent = createAgent({ id: 'noting', model: modelOf([]), tools, parts })
  const model = Array.from({ length: 12 }, (_, index) => {
    const note = { tool: 'save_note', args: { text: `Note ${index}` } }
    return { say: '', calls: goesOn ? [note, { tool: 'look', args: { page: index } }] : [note] }
  })
  const { findings, escapes, calls } = await play(agent, { input: { goal: 'x' }, model })
  expect(findings[0]).toMatchObject({ kind: 'stall', detector: 'cap' })
  expect(escapes[0]?.finding).toMatchObject({ detector: 'cap' })
  expect(calls.filter(({ tool }) => tool === 'save_note').length).toBeLessThan(12)
})
