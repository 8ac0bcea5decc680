/** Faults that the attack by inputs has found, each by its smallest input. */
import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { langchainModel } from '../../src/adapters/model/langchain/chat-model.ts'
import { attributeEvents } from '../../src/core/watch/attribution/attribute.ts'
import type { Stamped } from '../../src/core/watch/event/event.ts'
import { complains } from '../../src/core/watch/outcome/complaint.ts'
import { unwrapped } from '../../src/core/watch/answer/envelope.ts'
import { withSettings } from '../../src/adapters/spec/library.ts'
import { tool } from '../../src/kit/tool.ts'
import { InvalidEvent, personEvent } from '../../src/runtime/store/person-event.ts'
import { BadArchive } from '../../src/runtime/store/archive.ts'
import { checkSelect } from '../../src/runtime/store/query/select.ts'
import { fakeCall } from '../kit/fake.ts'
import { parseArchive } from '../../src/runtime/store/archive-parser.ts'

describe('a message', () => {
  test('about arguments with many faults names twenty of them', () => {
    const reader = tool({
      description: 'reads',
      effects: 'read',
      inputSchema: z.object({ tags: z.array(z.string()) }),
      execute: () => null,
    })
    const act = () => reader.parse({ tags: Array.from({ length: 500 }, () => 1) })
    // The check itself stops at some two hundred faults, so it does not know how many there are.
    expect(act).toThrow(/tags\[19\]: [^;]*; and (\d+ )?more$/)
  })

  test('about a setting that is nested too deep says so', () => {
    const deep = `limits=${'['.repeat(5_000)}${']'.repeat(5_000)}`
    expect(() => withSettings({}, [deep])).toThrow(/^--set limits=\[+…: YAML: is nested too deep$/)
  })
})

test('an archive with a version that is not a text is refused', async () => {
  async function* lines() {
    yield JSON.stringify(header)
    yield JSON.stringify(row)
    const text = `${JSON.stringify(header)}\n${JSON.stringify(row)}\n`
    yield JSON.stringify({ sha256: createHash('sha256').update(text).digest('hex') })
  }
  const header = { format: 'escapement', version: 1, threads: [{ thread: 't', rows: 1 }] }
  const row = { seq: 0, event: { type: 'thread.started', at: 1, versions: { escapement: {} } } }
  await expect(parseArchive(lines())).rejects.toThrow(BadArchive)
})

test.each([[['cancel']], [{ toString: 'x' }], [[{ toString: 'x' }]], [null]])(
  'a command whose type is %j is refused',
  type => {
    expect(() => personEvent({ type, reason: 'enough' })).toThrow(InvalidEvent)
  },
)

test.each([
  ...['\n', ' ', '[', '(A', 'AError\n', 'a.', 'ab-c ', '"exit_code" '].map(part => ['', part]),
  ...['\t', ' ', '\n', '` '].map(part => ['```\n', part]),
])('an answer of 65,536 characters that repeats after %j %j is read in time', (start, part) => {
  const times = Math.floor((65_536 - start.length) / part.length)
  const text = start + part.repeat(times)
  const since = performance.now()
  unwrapped(text)
  complains(text, { seeks: false, succeeded: false })
  expect(performance.now() - since).toBeLessThan(1_000)
})

describe('a text of others with a long run is read in linear time', () => {
  const inTime = async (work: () => unknown) => {
    const since = performance.now()
    await work()
    expect(performance.now() - since).toBeLessThan(400)
  }

  test('the message of a model endpoint with 100,000 blanks', () =>
    inTime(async () => {
      const stream = () => Promise.reject(new Error(`500 upstream said:${' '.repeat(100_000)}x`))
      const model = { stream, _llmType: () => 'm', _modelType: () => 'base_chat_model' }
      const request = { system: '', messages: [], tools: [] }
      const asked = langchainModel(model).ask(request, fakeCall() as never)
      await expect(asked).rejects.toThrow(/^500 upstream said:/)
    }))

  test('a query with 20,000 blanks', () =>
    inTime(() => {
      const text = `SELECT${'\t'.repeat(19_000)}1`
      expect(checkSelect(text, new Set())).toBe(text)
    }))

  test('a failure with the word tool 20,000 times', () =>
    inTime(() => {
      const facts = { class: 'persistent', scope: 'resource', rule: 'none', name: 'Error' }
      const failure = { ...facts, message: 'tool '.repeat(20_000) }
      const of = { at: 0, call: 'a#1/1', effect: 'a#1', subject: 's' }
      attributeEvents([
        { ...of, type: 'tool.called', args: {} },
        { ...of, type: 'tool.failed', failure, final: true },
      ] as unknown as readonly Stamped[])
    }))
})

test('the link to the documentation of LangChain is removed from a message, and nothing else', async () => {
  const messageAfter = async (message: string) => {
    const stream = () => Promise.reject(new Error(message))
    const model = { stream, _llmType: () => 'm', _modelType: () => 'base_chat_model' }
    const request = { system: '', messages: [], tools: [] }
    return langchainModel(model)
      .ask(request, fakeCall() as never)
      .catch(error => error.message)
  }
  const link = 'Troubleshooting URL: https://docs.example/errors/'
  expect(await messageAfter(`401 no key\n\n${link}\n`)).toBe('401 no key')
  expect(await messageAfter(`${link} was shown`)).toBe(`${link} was shown`)
})
