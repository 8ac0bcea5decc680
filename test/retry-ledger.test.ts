/** The retry ledger: what counts as a retry, and what made it. */
import { describe, expect, it } from 'vitest'
import type { AgentEvent, Stamped } from '../src/core/watch/event/event.ts'
import { completePolicy } from '../src/core/watch/policy/policy.ts'
import { isFutileRetry, NO_RETRIES, pollsAfter, retriesAfter } from '../src/core/watch/retries.ts'
import { retryLedger } from '../src/core/watch/retries.ts'
import { digest } from '../src/core/watch/data/json.ts'
import { drive } from '../src/runtime/drive/drive.ts'
import { memoryStore } from '../src/runtime/store/memory-store.ts'
import { calling, portsOf, START } from './runtime/desk.ts'
import { DOWN } from './kit/fake.ts'

/** `call key what`, as `1 k called`, `1 k called#2` (the attempt), `1 k failed`, `1 k again` (failed, not for good), `1 k done×3` (tries). */
function rows(
  subject: string,
  ...lines: readonly string[]
): readonly { readonly event: Stamped }[] {
  return lines.map((line, at) => {
    const [, call = '', key = '', what = '', attempt = '1', tries] =
      /^(\S+) (\S+) (\w+)(?:#(\d+))?(?:×(\d+))?$/.exec(line) ?? []
    const of = {
      effect: 'A#1',
      region: '',
      call,
      subject,
      key,
      ...(tries ? { tries: Number(tries) } : {}),
    }
    const events: Readonly<Record<string, AgentEvent>> = {
      called: {
        ...of,
        type: 'tool.called',
        args: {},
        attempt: Number(attempt),
        effects: 'read',
        repeatable: true,
      },
      done: { ...of, type: 'tool.done', result: 1, digest: digest(1), effects: 'read' },
      failed: {
        ...of,
        type: 'tool.failed',
        failure: DOWN,
        attempt: Number(attempt),
        final: true,
      },
      again: {
        ...of,
        type: 'tool.failed',
        failure: DOWN,
        attempt: Number(attempt),
        final: false,
      },
    }
    return { event: { ...(events[what] as AgentEvent), at } }
  })
}

const lineOf = (...lines: readonly string[]) => retryLedger(rows('t', ...lines))[0]

describe('the ledger', () => {
  it('counts attempts of an SDK, with any result', () => {
    expect(lineOf('1 k called', '1 k done×3')).toMatchObject({
      calls: 1,
      attempts: 3,
      sdk: 2,
      runtime: 0,
      model: 0,
    })
    expect(lineOf('1 k called', '1 k failed×4')).toMatchObject({ calls: 1, attempts: 4, sdk: 3 })
  })

  it('counts retries of the runtime', () => {
    expect(lineOf('1 k called', '1 k again', '1 k called#2', '1 k failed#2')).toMatchObject({
      calls: 1,
      attempts: 2,
      runtime: 1,
      model: 0,
    })
  })

  it('counts a repeated call after a failure, not after an answer, and no other call', () => {
    expect(lineOf('1 k called', '1 k failed', '2 k called')).toMatchObject({
      calls: 2,
      attempts: 2,
      model: 1,
    })
    expect(lineOf('1 k called', '1 k done', '2 k called')).toMatchObject({ calls: 2, model: 0 })
    expect(lineOf('1 k called', '1 k failed', '2 other called')).toMatchObject({
      calls: 2,
      model: 0,
    })
  })

  it('separates tools, and omits calls that were refused before an attempt', () => {
    expect(
      retryLedger([...rows('a', '1 k called', '1 k failed'), ...rows('b', '2 k called')]),
    ).toMatchObject([{ dependency: 'tool:a' }, { dependency: 'tool:b', model: 0 }])
    expect(retryLedger(rows('a', '1 k failed', '2 k failed'))).toEqual([])
  })
})

describe('the retries of a thread', () => {
  const remembered = (...lines: readonly string[]) =>
    rows('t', ...lines).reduce((retries, { event }) => retriesAfter(retries, event), NO_RETRIES)
  const spent = [
    '1 k called',
    '1 k again×3',
    '1 k called#2',
    '1 k failed',
    '2 k called',
    '2 k failed',
  ]

  it('include all retries since the last success', () => {
    expect(remembered(...spent).spent).toEqual({ 'tool:t': 2 + 1 + 1 })
    expect(remembered(...spent, '3 other called', '3 other done').spent).toEqual({})
  })

  it('rejects a call that cannot succeed: it failed, and its retries are spent', () => {
    const of = { dependency: 'tool:t', key: 'k', total: 4 }
    expect(isFutileRetry(remembered(...spent), of)).toBe(true)
    expect(isFutileRetry(remembered(...spent), { ...of, total: 5 })).toBe(false)
    expect(isFutileRetry(remembered(...spent), { ...of, key: 'other' })).toBe(false)
    expect(isFutileRetry(remembered(...spent), { ...of, dependency: 'model:t' })).toBe(false)
    expect(isFutileRetry(remembered(...spent, '3 k called', '3 k done'), of)).toBe(false)
  })

  it('forget the oldest transient failure of a dependency at each success', () => {
    const failed = ['1 k called', '1 k again']
    expect(remembered(...failed).transients).toHaveLength(1)
    expect(remembered(...failed, '2 other called', '2 other done').transients).toEqual([])
  })

  it('have bounded size', () => {
    const many = Array.from({ length: 200 }, (_, index) =>
      rows(
        `t${index}`,
        `${index} k${index} called`,
        `${index} k${index} again×2`,
        `${index} k${index} called#2`,
        `${index} k${index} failed`,
      ),
    )
    const { spent, failed, transients } = many
      .flat()
      .reduce((retries, { event }) => retriesAfter(retries, event), NO_RETRIES)
    expect([Object.keys(spent).length, failed.length, transients.length]).toEqual([32, 32, 64])
  })
})

it.each([
  [3, 3],
  [0, undefined],
  [2.5, undefined],
  [1e9, 100],
  ['many' as unknown as number, undefined],
])('bounds the attempts that a tool reports: %s', async (said, believed) => {
  const store = memoryStore()
  const graph = calling(async ({ tried }) => {
    tried(said)
    return 'done'
  })
  await drive(portsOf(graph, { store }), 't', START)
  const done = (await store.rows('t')).find(({ event }) => event.type === 'tool.done')?.event as {
    tries?: number
  }
  expect(done.tries).toBe(believed)
})

it('the times of polls are kept for the sixteen latest calls', () => {
  const policy = completePolicy({
    detect: { tools: { job: { poll: { every: 10_000 } } } },
  } as never)
  const done = (key: string, at: number) =>
    ({ type: 'tool.done', subject: 'job', key, at }) as unknown as Stamped
  const polls = Array.from({ length: 17 }, (_, index) => done(`k${index}`, index)).reduce<
    ReturnType<typeof pollsAfter>
  >((known, event) => pollsAfter(known, event, policy), undefined)
  expect(Object.values(polls ?? {})).toEqual(Array.from({ length: 16 }, (_, index) => index + 1))
})
