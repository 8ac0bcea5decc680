/** Traces with more items in one place than a call takes arguments, and files of blank lines. */
import { closeSync, openSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { readTraces } from '../../src/adapters/trace/traces.ts'
import { newFolders } from '../durability/folders.ts'

const newFolder = newFolders()

/** V8 refuses a call with about 120,000 arguments. */
const MANY = 200_000
const times = <T>(item: (nth: number) => T): readonly T[] =>
  Array.from({ length: MANY }, (_, nth) => item(nth))

async function lengthsOf(...lines: readonly unknown[]): Promise<readonly number[]> {
  const file = join(newFolder(), 'trace.jsonl')
  writeFileSync(file, lines.map(line => `${JSON.stringify(line)}\n`).join(''))
  const lengths: number[] = []
  for await (const { acts } of readTraces(file)) lengths.push(acts.length)
  return lengths
}

const choice = (nth: number) => ({
  name: 'gen_ai.choice',
  attributes: { message: `{"content":"step ${nth}"}` },
})

it('reads a span with many events', async () => {
  const attributes = { 'gen_ai.operation.name': 'chat' }
  expect(await lengthsOf({ traceId: 't', attributes, events: times(choice) })).toEqual([MANY])
})

it('reads many log records of a conversation that a span names', async () => {
  const span = { traceId: 't', attributes: { 'gen_ai.conversation.id': 'c' }, events: [choice(-1)] }
  const logRecords = times(nth => {
    const { name: eventName, attributes } = choice(nth)
    return { traceId: 't', eventName, attributes }
  })
  const logs = { resourceLogs: [{ scopeLogs: [{ logRecords }] }] }
  expect(await lengthsOf(span, logs)).toEqual([MANY + 1])
})

it('reads a message with many calls, one message a line', async () => {
  const call = { type: 'function', function: { name: 'f', arguments: '{}' } }
  const tool_calls = times(nth => ({ id: `c${nth}`, ...call }))
  expect(
    await lengthsOf({ role: 'user', content: 'hi' }, { role: 'assistant', tool_calls }),
  ).toEqual([MANY + 1])
})

it.each([
  ['inside of a value', '[', ']'],
  ['before a value of several lines', '', '[\n]'],
])(
  'counts blank lines %s',
  async (_, before, after) => {
    const file = join(newFolder(), 'blank.json')
    const to = openSync(file, 'w')
    writeSync(to, before)
    for (let part = 0; part < 65; part++) writeSync(to, '\n'.repeat(1_048_576))
    writeSync(to, after)
    closeSync(to)
    const read = () => readTraces(file, { format: 'openai' }).next()
    await expect(read()).rejects.toThrow(`${file}: has more than 67108864 characters`)
  },
  60_000,
)

it('names the line of a fault in a value of several lines', async () => {
  const file = join(newFolder(), 'fault.json')
  writeFileSync(file, `\n\n[\n\n"a"\n\n2]\n`)
  await expect(readTraces(file).next()).rejects.toThrow(`${file}: expected JSON: `)
  await expect(readTraces(file).next()).rejects.toThrow('(line 7 column 1)')
})
