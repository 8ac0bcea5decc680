/** The parts of the detectors, each compared with a naive implementation of its definition. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { TRACE_WATCHER, watchAct } from '../../src/core/watch/trace-watcher.ts'
import type { Act, TraceWatcher } from '../../src/core/watch/trace-watcher.ts'
import { requestFeatures } from '../../src/core/watch/normalize/request-features.ts'
import type { AnsweredObservation } from '../../src/core/watch/normalize/observed.ts'
import { mistakes } from '../../src/core/watch/detect/mistakes.ts'
import { sequence } from '../../src/core/watch/detect/sequence.ts'
import { noToolCall } from '../../src/core/watch/detect/no-tool-call.ts'
import { type Json, shortHash } from '../../src/core/watch/data/json.ts'
import { insertHash, similarity, encodeHashes } from '../../src/core/watch/text/similarity.ts'
import { POLICY } from '../../src/core/watch/policy/policy.ts'
import { dedupe as newsIn, type ReportedLoops } from '../../src/core/watch/regions.ts'
import { errorKey, answerFeatures } from '../../src/core/watch/normalize/answer-features.ts'
import { progressPart } from '../../src/core/watch/answer/result-text.ts'

const answer = (key: string, seq: number): AnsweredObservation => ({
  kind: 'answered',
  seq,
  at: 0,
  batch: seq,
  subject: key,
  key: key.padEnd(7, '.'),
  answerHash: 'same',
  ok: true,
  failed: false,
  tone: 'plain',
})

describe('sequence', () => {
  /** The shortest period whose laps stand at the end of the story, found by laying whole tails side by side. */
  function naive(story: readonly string[], repeats: number, periodMax: number): number {
    for (let period = 1; period <= periodMax; period++) {
      const run = Math.max((repeats - 2) * period + 1, period)
      if (story.length < run + period) continue
      const tail = story.slice(story.length - run)
      if (tail.every((key, index) => key === story[story.length - run - period + index]))
        return period
    }
    return 0
  }

  test('finds the same period as a naive search at every call', () => {
    const story = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 60 })
    fc.assert(
      fc.property(
        story,
        fc.integer({ min: 2, max: 4 }),
        fc.integer({ min: 1, max: 24 }),
        (keys, repeats, periodMax) => {
          let state = sequence.start
          for (const [index, key] of keys.entries()) {
            const [next, found] = sequence.observe(state, answer(key, index), {
              repeats,
              periodMax,
            })
            state = next
            expect(found?.period ?? 0).toBe(naive(keys.slice(0, index + 1), repeats, periodMax))
          }
        },
      ),
    )
  })

  test('names the members of the lap in order, and its first call', () => {
    let found: ReturnType<typeof sequence.observe>[1]
    let state = sequence.start
    for (const [seq, key] of ['x', 'a', 'b', 'c', 'a', 'b', 'c', 'a'].entries())
      [state, found] = sequence.observe(state, answer(key, seq), { repeats: 3, periodMax: 24 })
    expect(found).toMatchObject({ members: ['a', 'b', 'c'], period: 3, repeats: 3, onset: 1 })
  })
})

describe('patience', () => {
  test('counts failures and missing tool calls beyond the stored events', () => {
    let [mistaken, silent] = [mistakes.start, noToolCall.start]
    for (let seq = 0; seq < 40; seq++) {
      const [nextMistaken, mistake] = mistakes.observe(
        mistaken,
        { ...answer('read', seq), ok: false, failed: true },
        { limit: 40 },
      )
      const [nextSilent, silenced] = noToolCall.observe(
        silent,
        { kind: 'said', seq, at: 0, subject: 'm', hash: '', length: 9, command: false },
        { times: 40 },
      )
      ;[mistaken, silent] = [nextMistaken, nextSilent]
      expect([mistake?.repeats, mistake?.onset, silenced?.repeats, silenced?.onset]).toEqual(
        seq < 39 ? [undefined, undefined, undefined, undefined] : [40, 0, 40, 0],
      )
    }
  })
})

describe('similarity', () => {
  const sketch = (words: readonly number[]) => {
    const least: number[] = []
    for (const word of words) insertHash(least, word)
    return encodeHashes(least)
  }
  const hash = fc.integer({ min: 0, max: 0x3ffff })

  test('is the exact Dice coefficient for small sets, and an estimate for large ones', () => {
    const dice = (a: ReadonlySet<number>, b: ReadonlySet<number>) =>
      a.size + b.size === 0 ? 1 : (2 * [...a].filter(x => b.has(x)).length) / (a.size + b.size)
    fc.assert(
      fc.property(
        fc.array(hash, { maxLength: 8 }),
        fc.array(hash, { maxLength: 8 }),
        fc.array(hash, { maxLength: 8 }),
        (shared, mine, theirs) => {
          const [a, b] = [new Set([...shared, ...mine]), new Set([...shared, ...theirs])]
          fc.pre(a.size < 20 && b.size < 20)
          expect(similarity(sketch([...a]), sketch([...b]))).toBeCloseTo(dice(a, b), 10)
        },
      ),
    )
    const many = (from: number, to: number) =>
      Array.from({ length: to - from }, (_, index) => Math.imul(index + from, 0x9e3779b1) & 0x3ffff)
    expect(similarity(sketch(many(0, 300)), sketch(many(0, 300)))).toBe(1)
    expect(similarity(sketch(many(0, 300)), sketch(many(150, 450)))).toBeLessThan(0.75)
    expect(similarity(sketch(many(0, 300)), sketch(many(300, 600)))).toBeLessThan(0.1)
  })

  test('does not depend on the order, frequency or case of words', () => {
    const words = (query: string) => requestFeatures('search', { query }).words
    expect(words('How to reset the router')).toBe(words('the ROUTER reset, how to? to reset'))
  })
})

describe('request features', () => {
  test('ignore notes and ignored arguments', () => {
    const key = (args: Json, reading = {}) => requestFeatures('sh', args, reading).key
    expect(key({ command: 'ls', description: 'to see what is there' })).toBe(
      key({ command: 'ls', description: 'once more' }),
    )
    expect(key({ command: 'ls', verbose: true }, { ignore: ['verbose'] })).toBe(
      key({ command: 'ls' }),
    )
    expect(key({ sql: 'x', trace: 7 }, { identity: ['sql'] })).toBe(
      key({ sql: 'x', trace: 8 }, { identity: ['sql'] }),
    )
    expect(key({ thought: 'this' })).not.toBe(key({ thought: 'that' }))
    expect(key({ issue: 'P-7', comment: 'this' })).not.toBe(key({ issue: 'P-7', comment: 'that' }))
    expect(key({ issue: 'P-7', description: 'this' })).not.toBe(
      key({ issue: 'P-7', description: 'that' }),
    )
  })

  test('separate numbers from words', () => {
    const [one, two] = [
      requestFeatures('read', { file: 'log.txt', offset: 100 }),
      requestFeatures('read', { file: 'log.txt', offset: 200 }),
    ]
    expect(one.words).toBe(two.words)
    expect(one.numbers).not.toBe(two.numbers)
  })

  test('distinguishes lists by the state of each item and by their order', () => {
    const todo = (...done: readonly boolean[]) =>
      requestFeatures('todo', {
        todos: done.map((is, nth) => ({ text: `step ${nth}`, state: is ? 'done' : 'open' })),
      }).numbers
    expect(
      new Set([todo(true, false, false), todo(true, true, false), todo(false, true, false)]).size,
    ).toBe(3)
    expect(todo(true, false)).toBe(todo(true, false))
  })
})

describe('arguments of a model', () => {
  const nested = (depth: number, inside: Json): Json =>
    Array.from({ length: depth }).reduce<Json>(value => ({ b: [value], a: 1 }), inside)

  test('are compared to a bounded nesting depth without an error', () => {
    const key = (args: Json) => requestFeatures('write', args).key
    expect(key(nested(20_000, 'x'))).toBe(key(nested(20_000, 'y')))
    expect(key(nested(20, 'x'))).not.toBe(key(nested(20, 'y')))
  })

  test('may have the names of object properties', () => {
    const args = JSON.parse('{"__proto__": {"reason": "x"}, "constructor": 1}') as Json
    for (const tool of ['__proto__', 'constructor', 'toString']) {
      const lap: readonly Act[] = [
        { act: 'called', tool, args },
        { act: 'answered', ok: true, text: 'the same page' },
      ]
      expect(countFindings([...lap, ...lap, ...lap])).toBe(1)
    }
  })
})

describe('answer features', () => {
  const sense = (text: string, ok: boolean | null = true) =>
    answerFeatures({ text, ok, hash: text, whole: true }, undefined)

  test.each([
    [
      'times and durations',
      'built at 2026-01-05T10:11:12Z in 3.2 s',
      'built at 2026-01-06T20:21:22Z in 4 s',
    ],
    ['whole seconds that something took', 'BUILD FAILED in 3s', 'BUILD FAILED in 14s'],
    ...[
      ['took 13 milliseconds', 'took 26 milliseconds'],
      ['done, 13 msec', 'done, 26 msec'],
      ['13 microseconds per row', '26 microseconds per row'],
      ['13 nanoseconds per row', '264 nanoseconds per row'],
      ['real 0m0.110s user 0m0.020s', 'real 0m1.275s user 0m0.133s'],
      ['took 1m 23s', 'took 2m 7s'],
      ['Done in 1m23s.', 'Done in 2m7s.'],
      ['checked, 2m 3.4s', 'checked, 1m 17.9s'],
      ['checked, 1,123 ms', 'checked, 3,456 ms'],
      ['{"executionTimeMillis":13}', '{"executionTimeMillis":26}'],
      ['{"time_taken":13,"n":2}', '{"time_taken":26,"n":2}'],
    ].map(([one, other]) => [`the duration in ${one}`, one, other] as [string, string, string]),
    ['times since', 'you were here 12 seconds ago', 'you were here 33 seconds ago'],
    ['ids', 'sent as message 7f3a9c21be', 'sent as message 0011aabb2233'],
    [
      'values of ids',
      '{"ok":true,"messageId":"m-1","ts":1700000001}',
      '{"ok":true,"messageId":"m-2","ts":1700000002}',
    ],
    ['blanks', 'no  changes', 'no changes\n'],
  ])('does not change with %s', (_, one, other) => {
    expect(sense(one).answerHash).toBe(sense(other).answerHash)
  })

  test.each([
    ['counts', '3 failing', '2 failing'],
    ['percentages', 'progress: 40%', 'progress: 60%'],
    ['whole seconds of a wait', '[1m 23s] compiling', '[1m 25s] compiling'],
    ['numbers with groups', '1,123 rows, 5 ms', '2,123 rows, 5 ms'],
    ['minutes and meters', '4 m high', '5 m high'],
    ['lines read', 'line 0: compiling', 'line 1: compiling'],
    ['drawings', '#####\n## ##\n#####', '#####\n#  ##\n#####'],
    ['the order of words', 'fox bites man', 'man bites fox'],
  ])('changes with %s', (_, one, other) => {
    expect(sense(one).answerHash).not.toBe(sense(other).answerHash)
  })

  test('keeps its differences in a signature', () => {
    const said = [
      '3 tests failed: parser',
      '3 tests failed: printer',
      '3 files cannot be opened',
      'could not open 3 files now',
    ].map(text => shortHash(sense(text, false).answerHash))
    expect(new Set(said).size).toBe(said.length)
    expect(
      new Set(['one two', 'two one', 'one, two'].map(text => shortHash(sense(text).answerHash)))
        .size,
    ).toBe(3)
  })

  test('uses declared progress, also in JSON text', () => {
    expect(
      progressPart({ job: { done: 3 }, at: 'noon' }, { whole: true, progress: 'job.done' }),
    ).toEqual({ text: '3', whole: true })
    expect(
      progressPart('{"job":{"done":3},"at":"noon"}', { whole: true, progress: 'job.done' }),
    ).toEqual({ text: '3', whole: true })
    expect(progressPart('{"job":{"do', { whole: false, progress: 'job.done' })).toEqual({
      text: '{"job":{"do',
      whole: false,
    })
    expect(progressPart('still at it', { whole: true, progress: 'job.done' })).toEqual({
      text: 'still at it',
      whole: true,
    })
  })

  test('has a tone', () => {
    expect(
      ['', 'ok', 'Done.', '12 files', 'written to disk at once'].map(text => sense(text).tone),
    ).toEqual(['bland', 'bland', 'bland', 'brief', 'brief'])
    expect(
      ['exit code: 0', '<returncode>0</returncode> <output></output>', 'exit code: 1', '0'].map(
        text => sense(text).tone,
      ),
    ).toEqual(['bland', 'bland', 'brief', 'brief'])
    expect(
      [
        'the list of results is shown as before, with twenty links on it',
        '{"status":200,"type":"text/html"}',
      ].map(text => sense(text).tone),
    ).toEqual(['plain', 'brief'])
    expect(sense('bash: javac: command not found', false).tone).toBe('plain')
    expect(
      answerFeatures(
        { text: '', ok: true, hash: '', whole: true },
        requestFeatures('bash', { command: 'grep -r x .' }),
      ).tone,
    ).toBe('nothing')
    expect(
      ['no matches for it', 'could not find x', 'no more pages found'].map(text => sense(text)),
    ).toMatchObject([
      { tone: 'nothing', failed: true },
      { tone: 'nothing', failed: true },
      { tone: 'nothing', failed: true },
    ])
    expect(sense('HTTP 429: too many requests', false)).toMatchObject({
      tone: 'later',
      failed: true,
    })
  })

  test('reports no failure in a text about zero failures', () => {
    const failed = (text: string) => sense(text, null).failed
    expect(
      ['3 passed; 0 failed; 0 ignored', 'Checked 7 files. No error.', 'done without error'].map(
        failed,
      ),
    ).toEqual([false, false, false])
    expect(
      ['3 passed; 10 failed', 'error: no such file', '0 passed, 1 failed', 'no results'].map(
        failed,
      ),
    ).toEqual([true, true, true, true])
  })

  test('reports no failure in what a record contains beside other facts', () => {
    const failed = (value: Json) => sense(JSON.stringify(value)).failed
    const ticket = { id: '7', customer: 'ann@example.com', text: 'I cannot log in' }
    const titles = [
      { number: 4, title: 'Error: page not found' },
      { number: 5, title: 'Denied' },
    ]
    expect([ticket, { ticket }, [ticket], titles].map(failed)).toEqual([false, false, false, false])
    const answers: readonly Json[] = [
      { text: 'I cannot log in' },
      { ...ticket, error: 'not found' },
      { ok: false, text: 'I cannot log in' },
      { id: '7', status: 'not found', text: 'Hello' },
    ]
    expect(answers.map(failed)).toEqual([true, true, true, true])
  })

  test('of any length is compared without times, ids and durations', () => {
    const fill = 'A paragraph that stays as it is. '.repeat(60)
    const at = (minute: number) => `2026-01-01T00:${minute}:00Z`
    const page = (minute: number) => `${at(minute)} ${fill}${at(minute + 1)} ${fill}(1${minute} ms)`
    const hashOf = (text: string) => sense(text).answerHash
    expect(hashOf(page(10))).toBe(hashOf(page(20)))
    expect(hashOf(`${fill}7${fill}`)).not.toBe(hashOf(`${fill}8${fill}`))
    expect(hashOf(`${fill}, left${fill}`)).not.toBe(hashOf(`${fill}, right${fill}`))
  })

  test('that consists of ids has these as its content', () => {
    const ids = (from: number) =>
      JSON.stringify(Array.from({ length: 60 }, (_, n) => ({ id: `64b7f0c2a1e9${from + n}` })))
    expect(sense(ids(100)).answerHash).not.toBe(sense(ids(200)).answerHash)
  })

  test('is compared by the digest of the whole if only a part is available', () => {
    const of = (hash: string) =>
      answerFeatures(
        { text: 'the beginning of a long page', ok: true, hash, whole: false },
        undefined,
      ).answerHash
    expect(of('one')).not.toBe(of('other'))
  })

  test('ignores quoted arguments in an error', () => {
    const failed = (path: string) =>
      errorKey(
        { name: 'Error', message: `No matches found for "${path}" in /srv` },
        requestFeatures('find', { path }),
      )
    expect(failed('java_setup.txt')).toBe(failed('build notes.md'))
    const count = (failing: number) =>
      errorKey({ name: 'Error', message: `${failing} tests failing` })
    expect(count(3)).not.toBe(count(2))
  })
})

/** The number of findings that the trace watcher reports. */
function countFindings(acts: readonly Act[]): number {
  return acts.reduce<readonly [TraceWatcher, number]>(
    ([watcher, count], act) => [
      watchAct(watcher, act, POLICY.detect)[0],
      count + watchAct(watcher, act, POLICY.detect)[1].length,
    ],
    [TRACE_WATCHER, 0],
  )[1]
}

describe('the trace watcher', () => {
  const call = { act: 'called', tool: 'read', args: { path: 'a' } } as const
  const answer = { act: 'answered', ok: true, text: 'the same page' } as const

  test('detects a repeated call with a repeated answer', () => {
    expect(countFindings([call, answer, call, answer, call, answer])).toBe(1)
  })

  test('compares only declared progress, also in JSON text', () => {
    const detect = { ...POLICY.detect, tools: { deploy: { progress: 'steps.done' } } }
    const deployed = (answers: readonly string[]) =>
      answers
        .flatMap((text): readonly Act[] => [
          { act: 'called', tool: 'deploy', args: {} },
          { act: 'answered', ok: true, text },
        ])
        .reduce<readonly [TraceWatcher, number]>(
          ([watcher, count], act) => {
            const [next, sketches] = watchAct(watcher, act, detect)
            return [next, count + sketches.length]
          },
          [TRACE_WATCHER, 0],
        )[1]
    expect(deployed([1, 2, 3, 4].map(done => `{"steps":{"done":${done}},"phase":"copying"}`))).toBe(
      0,
    )
    expect(
      deployed(['one', 'two', 'three'].map(phase => `{"steps":{"done":7},"phase":"${phase}"}`)),
    ).toBe(1)
    expect(deployed(['one', 'two', 'three'].map(phase => `no JSON: ${phase}`))).toBe(0)
  })

  test('ignores answers without a call', () => {
    expect(countFindings([answer, answer, answer, answer, answer, answer])).toBe(0)
  })

  test('detects a loop despite a call that is never answered', () => {
    const lap = (nth: number): readonly Act[] => [
      { ...call, call: `c${nth}` },
      { ...answer, call: `c${nth}` },
    ]
    expect(countFindings([{ ...call, call: 'lost' }, ...lap(1), ...lap(2), ...lap(3)])).toBe(1)
  })

  test('distinguishes many parallel calls by their arguments', () => {
    const round = (of: string): readonly Act[] => {
      const ids = Array.from({ length: 20 }, (_, nth) => `${of}${nth}`)
      return [
        ...ids.map(
          id =>
            ({
              act: 'called',
              call: id,
              tool: 'write',
              args: { path: id, text: `the text of ${id}` },
            }) as const,
        ),
        ...ids.map(id => ({ act: 'answered', call: id, ok: true, text: 'ok' }) as const),
      ]
    }
    expect(
      countFindings([
        ...round('spring'),
        ...round('summer'),
        ...round('autumn'),
        ...round('winter'),
      ]),
    ).toBe(0)
    expect(
      countFindings([...round('spring'), ...round('spring'), ...round('spring')]),
    ).toBeGreaterThan(0)
  })
})

describe('a reported loop', () => {
  const loop = (id: string, repeats: number, signs: readonly string[] = [id], period = 1) =>
    ({
      kind: 'loop',
      detector: 'sequence',
      id,
      signs,
      members: [id],
      period,
      repeats,
      onset: 0,
      events: [0],
      reason: { code: 'custom', params: { text: '' } },
    }) as const

  test.each([
    [1, [3, 6, 12, 24]],
    [7, [21, 42, 84, 168]],
  ])('is reported once, and again each time its length doubles: period %i', (period, laps) => {
    let reported: ReportedLoops = []
    const at: number[] = []
    for (let calls = 3 * period; calls <= 30 * period; calls++) {
      const [next, news] = newsIn(reported, [loop('a', Math.floor(calls / period), ['a'], period)])
      reported = next
      if (news.length > 0) at.push(calls)
    }
    expect(at).toEqual(laps)
  })

  test('is one loop for all detectors with the same calls; a different loop is reported', () => {
    const [first] = newsIn([], [loop('a', 3)])
    expect(newsIn(first, [loop('by another name', 4, ['a', 'b'])])[1]).toEqual([])
    expect(newsIn(first, [loop('c', 3)])[1]).toHaveLength(1)
    expect(newsIn([], [loop('a', 3), loop('the same', 4, ['a'])])[1]).toHaveLength(1)
  })
})
