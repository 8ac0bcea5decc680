/** Traces with more items in one place than a call takes arguments, and files of blank lines. */
import { closeSync, openSync, readdirSync, readlinkSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
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

it('keeps spans without a trace apart from those of a trace', async () => {
  const attributes = { 'gen_ai.operation.name': 'chat' }
  const events = [1, 2].map(choice)
  expect(
    await lengthsOf(
      { traceId: '', attributes, events },
      { traceId: 't', attributes, events: events.slice(1) },
    ),
  ).toEqual([2, 1])
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

it.runIf(process.platform === 'linux').each([
  ['whose format is unknown', '{"id":"a"}\n'],
  ['of which one trace is read', '{"id":"a","events":[{"t":"say","text":"hello"}]}\n'],
  ['that is not text', '\u{0}a'],
])('closes a file %s', async (_, line) => {
  const file = join(newFolder(), 'many.jsonl')
  writeFileSync(file, line.repeat(100_000))
  const open = () =>
    readdirSync('/proc/self/fd').filter(fd => {
      try {
        return readlinkSync(`/proc/self/fd/${fd}`) === file
      } catch {
        return false
      }
    })
  for (let time = 0; time < 3; time++)
    try {
      for await (const _trace of readTraces(file)) break
    } catch {
      // Refused.
    }
  await expect.poll(open).toEqual([])
})

it('names the line of a fault in a value of several lines', async () => {
  const file = join(newFolder(), 'fault.json')
  writeFileSync(file, `\n\n[\n\n"a"\n\n2]\n`)
  await expect(readTraces(file).next()).rejects.toThrow(`${file}: expected JSON: `)
  await expect(readTraces(file).next()).rejects.toThrow('(line 7 column 1)')
})

it('matches many calls with their spans, whatever the order', async () => {
  const calls = Array.from({ length: 3_000 }, (_, nth) => `c${nth}`)
  const parts = calls.map(id => ({ type: 'tool_call', id, name: 'f', arguments: {} }))
  const output = JSON.stringify([{ role: 'assistant', parts }])
  const span = (attributes: object, time: number) => ({
    ...{ traceId: 't', startTimeUnixNano: `${time}`, endTimeUnixNano: `${time}` },
    attributes,
  })
  const operation = { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': 'f' }
  const tools = calls.toReversed().map((id, nth) => {
    // The last spans have no id: each is that of the oldest open call.
    return span({ ...operation, ...(nth < 2_000 && { 'gen_ai.tool.call.id': id }) }, nth + 2)
  })
  const model = { 'gen_ai.operation.name': 'chat', 'gen_ai.output.messages': output }
  let work = 0
  const includes = Array.prototype.includes
  const spy = vi.spyOn(Array.prototype, 'includes').mockImplementation(function (
    this: unknown[],
    sought,
  ) {
    work += this.length
    return includes.call(this, sought)
  })
  const lengths = await lengthsOf(span(model, 1), ...tools)
  spy.mockRestore()
  expect(lengths).toEqual([2 * 3_000])
  expect(work).toBeLessThan(200_000)
})

it('matches a span without an id with the call before it, also after one without a call', async () => {
  const tool = { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': 'f' }
  const parts = [{ type: 'tool_call', id: 'c', name: 'f', arguments: {} }]
  const output = JSON.stringify([{ role: 'assistant', parts }])
  const model = { 'gen_ai.operation.name': 'chat', 'gen_ai.output.messages': output }
  const spans = [model, tool, tool, model, tool].map((attributes, nth) => ({
    ...{ traceId: 't', spanId: `s${nth}`, startTimeUnixNano: `${nth}`, attributes },
    endTimeUnixNano: `${nth}`,
  }))
  // The second span of the tool is a call of its own; the model repeats the first call, and the last span is another.
  expect(await lengthsOf(...spans)).toEqual([6])
})

it('takes a time of more digits than any clock has for none', async () => {
  const file = join(newFolder(), 'trace.jsonl')
  const attributes = { 'gen_ai.operation.name': 'chat' }
  const late = { traceId: 't', startTimeUnixNano: '9'.repeat(31), attributes, events: [choice(1)] }
  const early = { traceId: 't', startTimeUnixNano: '5', attributes, events: [choice(2)] }
  writeFileSync(file, [late, early].map(span => `${JSON.stringify(span)}\n`).join(''))
  for await (const { acts } of readTraces(file))
    expect(acts.map(act => 'text' in act && act.text)).toEqual(['step 1', 'step 2'])
})
