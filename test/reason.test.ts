/** The catalog of messages: the only test that depends on their wording, beside those that show a face. */
import { readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import {
  CODES,
  explain,
  ReasonError,
  excerptOf,
  type Reason,
} from '../src/core/watch/reason/reason.ts'
import { factsOf } from '../src/core/watch/failure/failure.ts'
import { createRuntime, defineGraph, memoryStore, tool } from '../src/index.ts'
import { codesPage, ENTRIES, exampleOf } from './reference/codes.ts'

const file = resolve(import.meta.dirname, '../docs/reference/codes.md')

describe('docs/reference/codes.md', () => {
  test('lists each code of the catalog with its sentence', () => {
    const page = codesPage(CODES)
    if (process.env.REWRITE) writeFileSync(file, page)
    expect(readFileSync(file, 'utf8')).toBe(page)
  })

  test('has an entry for each code, and no other', () => {
    expect(Object.keys(ENTRIES).toSorted()).toEqual(CODES.toSorted())
  })
})

describe('a sentence', () => {
  test.each(CODES)('of %s is complete', code => {
    expect(code).toMatch(/^[a-z]+(-[a-z]+)*$/)
    expect(exampleOf(code)).toMatch(/^\S.*[^.\s]$/)
    expect(exampleOf(code)).not.toMatch(/undefined|\[object|NaN/)
  })

  test('names the failed call alone where the finding is about that call', () => {
    const cause = {
      code: 'call-failed',
      params: { call: 'search_faq', times: 3 },
      cause: { code: 'error', params: { message: 'the FAQ answered 401', status: 401 } },
    } as const satisfies Reason
    expect(
      explain({
        code: 'repeated-sequence',
        params: { calls: ['search_faq'], times: 3 },
        cause,
      }),
    ).toBe('search_faq failed 3 times: the FAQ answered 401')
    expect(explain({ code: 'repeated-text', params: { speakers: ['m'], times: 3 }, cause })).toBe(
      'search_faq failed 3 times: the FAQ answered 401; then m repeated the same text 3 times without calling a tool',
    )
  })

  test('gives the cause after a colon, and a status that the message lacks', () => {
    expect(
      explain({
        code: 'node-failed',
        params: { node: 'act' },
        cause: { code: 'error', params: { message: 'no access', status: 401 } },
      }),
    ).toBe("node 'act' failed: no access (401)")
  })

  test('of a code that a newer version wrote shows the code and its params', () => {
    expect(explain({ code: 'later', params: { a: 1 } } as unknown as Reason)).toBe('later {"a":1}')
  })
})

describe('an error of the runtime', () => {
  test('is stored as its code, and its message is rendered', () => {
    const error = new ReasonError('TimeoutError', { code: 'no-answer', params: { ms: 5 } })
    expect(error.message).toBe('no answer within 5 ms')
    expect(factsOf(error)).toEqual({
      name: 'TimeoutError',
      message: 'no-answer',
      reason: { code: 'no-answer', params: { ms: 5 } },
    })
  })

  test('of an external system keeps its own message, whatever reason it claims', () => {
    const error = Object.assign(new Error('no'), { reason: { code: 'goal-reached' } })
    expect(factsOf(error)).toEqual({ name: 'Error', message: 'no' })
  })
})

test('a text of an external system is cut between words', () => {
  expect(excerptOf('word '.repeat(100))).toBe(`${'word '.repeat(59)}…`)
  // Half a word may be half a secret, which would not be recognized.
  expect(excerptOf('x'.repeat(1_000))).toBe('…')
})

test('the end in a failure state names the failure whose edge led there', async () => {
  const look = tool({
    name: 'look',
    description: 'Looks.',
    effects: 'read',
    inputSchema: z.object({}),
    retry: { attempts: 1 },
    execute: async () => {
      throw Object.assign(new Error('upstream says: boom'), { status: 400 })
    },
  })
  const graph = defineGraph({
    id: 'shop',
    start: 'look',
    tools: { look },
    nodes: {
      look: { use: 'tool', tool: 'look', args: {}, on: { done: 'end', error: 'bad' } },
      end: { final: 'success' },
      bad: { final: 'failure' },
    },
  })
  const runtime = createRuntime({ store: memoryStore(), graphs: [graph] })
  const { outcome, because } = await (await runtime.start(graph, {})).result()
  expect([outcome, because]).toEqual([
    'failure',
    "the graph ended in a failure state: node 'look' failed: upstream says: boom (400)",
  ])
  await runtime.close()
})
