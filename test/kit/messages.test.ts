import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  endWithUserTurn,
  feedback,
  messagesIn,
  openingMessage,
  shown,
  truncated,
  withoutDropped,
  withRemaining,
} from '../../src/kit/messages.ts'
import type { Remaining } from '../../src/core/run/remaining.ts'
import type { Message } from '../../src/runtime/model-message.ts'
import { asking, NO, request, result, user } from './fake.ts'

/** A conversation written short: u = user, a = assistant, A2 = assistant with two calls, r = result of the next open call. */
function conversation(text: string): Message[] {
  const open: string[] = []
  return text.split(' ').map((word, index) => {
    if (word === 'u') return user(`u${index}`)
    if (word === 'r') return result(open.shift() ?? `stray${index}`)
    const calls = Array.from({ length: Number(word.slice(1) || 0) }, (_, nth) =>
      request(`c${index}.${nth}`),
    )
    open.splice(0, open.length, ...calls.map(({ id }) => id))
    return asking(`a${index}`, ...calls)
  })
}

const short = (messages: readonly Message[]) =>
  messages
    .map(message =>
      message.role === 'user'
        ? 'u'
        : message.role === 'tool'
          ? 'r'
          : message.calls.length > 0
            ? `A${message.calls.length}`
            : 'a',
    )
    .join(' ')

describe('trimming', () => {
  test.each([
    ['u A1 r A1 r a', 30, 'u A1 r A1 r a'],
    ['u A1 r A1 r A1 r', 5, 'u A1 r A1 r'],
    ['u A1 r A1 r A1 r', 4, 'u A1 r'],
    ['u A3 r r r A1 r', 6, 'u A1 r'],
    ['u a u A1 r u a', 4, 'u u u a'],
    ['u a u A1 r A1 r A1 r', 4, 'u u A1 r'],
    ['A1 r u A1 r A1 r', 3, 'u A1 r'],
    ['u A5 r r r r r', 3, 'u A5 r r r r r'],
  ])('%s to %i messages: %s', (before, history, after) => {
    expect(short(truncated(conversation(before), history))).toBe(after)
  })

  test('keeps the goal, which is the first message of the user', () => {
    const messages = [
      user('the goal'),
      ...conversation(Array.from({ length: 50 }, () => 'A1 r').join(' ')),
    ]
    expect(truncated(messages, 10)[0]).toEqual(user('the goal'))
  })

  test('adds a result to a call without one', () => {
    const [, , given] = truncated([user('u'), asking('', request('c1', 'search'))], 30)
    expect(given).toMatchObject({
      role: 'tool',
      call: 'c1',
      tool: 'search',
      ok: false,
      content: expect.stringContaining('the call was left without a result'),
    })
  })

  test('drops results without a call, and empty answers', () => {
    expect(
      short(truncated([user('u'), result('c0'), asking(''), asking('a'), result('c1')], 30)),
    ).toBe('u a')
  })

  test('pairs calls with the results after them, even if an id occurs twice', () => {
    const again = [
      asking('', request('same')),
      result('same', 'look', '1'),
      asking('', request('same')),
      result('same', 'look', '2'),
    ]
    expect(truncated([user('u'), ...again], 3).at(-1)).toMatchObject({ content: '2' })
  })

  test('reads only the messages that it sends from a long conversation', () => {
    const long = [
      user('the goal'),
      ...conversation(Array.from({ length: 20_000 }, () => 'A1 r').join(' ')),
    ]
    let read = 0
    const watched = new Proxy(long, {
      get(target, key, receiver) {
        if (typeof key === 'string' && /^\d+$/.test(key)) read++
        return Reflect.get(target, key, receiver)
      },
    })
    expect(truncated(watched, 30)).toHaveLength(29)
    expect(read).toBeLessThan(2_100)
  })

  test('in any conversation, keeps pairs together and the goal, and exceeds the bound by at most one unit', () => {
    const word = fc.constantFrom('u', 'a', 'A1 r', 'A2 r r', 'A2 r', 'r')
    fc.assert(
      fc.property(
        fc.array(word, { minLength: 1, maxLength: 40 }),
        fc.integer({ min: 2, max: 12 }),
        (words, history) => {
          const messages = conversation(words.join(' '))
          const kept = truncated(messages, history)
          const goal = messages.find(({ role }) => role === 'user')
          if (goal) expect(kept).toContain(goal)
          for (const [index, message] of kept.entries()) {
            if (message.role === 'assistant')
              expect(
                kept
                  .slice(index + 1, index + 1 + message.calls.length)
                  .map(other => other.role === 'tool' && other.call),
              ).toEqual(message.calls.map(({ id }) => id))
          }
          expect(kept.filter(({ role }) => role === 'tool').length).toBe(
            kept.flatMap(message => (message.role === 'assistant' ? message.calls : [])).length,
          )
          expect(kept.length).toBeLessThanOrEqual(Math.max(history, 5))
        },
      ),
      { numRuns: 300 },
    )
  })
})

describe('dropping', () => {
  const answered = (call: string, message: ReturnType<typeof asking>) => ({
    ...message,
    answer: call,
  })
  const talk: Message[] = [
    user('the goal'),
    answered('plan#1/1', asking('I look', request('c1'))),
    result('c1'),
    answered(
      'plan#2/1',
      asking('I look and write', request('c2'), { ...request('c3'), tool: 'write' }),
    ),
    result('c2'),
    { ...result('c3'), tool: 'write' } as Message,
  ]
  const writes = (tool: string) => tool === 'write'

  test('drops an answer with its reads, and keeps its writes', () => {
    const left = withoutDropped(talk, ['plan#2/1'], writes)
    expect(left.slice(0, 3)).toEqual(talk.slice(0, 3))
    expect(left.slice(3)).toEqual([
      { ...answered('plan#2/1', asking('', { ...request('c3'), tool: 'write' })) },
      talk[5],
    ])
  })

  test('drops an answer with reads only, including its text', () => {
    expect(withoutDropped(talk, ['plan#1/1'], writes)).toEqual([talk[0], ...talk.slice(3)])
  })

  test('keeps all messages if nothing is dropped, and messages without a known answer', () => {
    expect(withoutDropped(talk, [], writes)).toBe(talk)
    const old: Message[] = [user('the goal'), asking('I look', request('c1')), result('c1')]
    expect(withoutDropped(old, ['plan#1/1'], writes)).toEqual(old)
  })
})

describe('the opening', () => {
  test('contains the goal and the other input of the node by name', () => {
    expect(
      openingMessage(
        { goal: 'write', notes: ['short', 'clear'], draft: 'old', none: null, empty: [] },
        ['notes', 'draft', 'none', 'empty'],
      ),
    ).toEqual(user('write\n\nnotes: ["short","clear"]\n\ndraft: old'))
    expect(openingMessage({ messages: [] }, [])).toBeUndefined()
  })
})

describe('the messages to a model', () => {
  test('never end with a message of the model', () => {
    expect(endWithUserTurn([], 'optional', 30)).toEqual([user('Begin.')])
    expect(endWithUserTurn([user('u'), asking('a')], 'optional', 30).at(-1)).toEqual(user('Go on.'))
    expect(endWithUserTurn([user('u'), asking('a')], 'required', 30).at(-1)).toMatchObject({
      role: 'user',
      content: expect.stringContaining('Reply with a tool call'),
    })
    expect(endWithUserTurn([user('u')], 'required', 30)).toEqual([user('u')])
  })

  test('contain only messages, whatever else a channel contains', () => {
    expect(
      messagesIn({
        messages: [
          user('u'),
          'text',
          null,
          { role: 'system', content: 'no' },
          { role: 'assistant', content: 'no calls' },
        ] as never,
      }),
    ).toEqual([user('u')])
    expect(messagesIn({ messages: 'none' })).toEqual([])
  })
})

describe('the rest of the budget', () => {
  const shownFor = (units: Remaining['units']) =>
    withRemaining([user('Go.')], { units, isLast: false }).at(-1)?.content

  test('is in seconds, whole units and parts of a dollar', () => {
    expect(shownFor([{ unit: 'duration', left: 45_500, limit: 600_000 }])).toBe(
      'Budget left: 45 of 600 seconds.',
    )
    expect(shownFor([{ unit: 'usd', left: 0.012345, limit: 1 }])).toBe(
      'Budget left: 0.0123 of 1 USD.',
    )
  })

  test('names the scarcest unit first, and the others only below half', () => {
    const units = [
      { unit: 'steps', left: 9, limit: 10 },
      { unit: 'tokens', left: 400, limit: 1_000 },
      { unit: 'toolCalls', left: 1, limit: 10 },
    ] as const
    expect(shownFor(units)).toBe('Budget left: 1 of 10 tool calls, 400 of 1000 tokens.')
  })
})

describe('the feedback on a call', () => {
  test('is the result as JSON', () => {
    expect(feedback(request('c1', 'look'), { ok: true, value: { seen: ['a'] } })).toEqual({
      role: 'tool',
      call: 'c1',
      tool: 'look',
      content: '{"seen":["a"]}',
      ok: true,
    })
  })

  test('describes the kind of a failure and how to react', () => {
    const { content, ok } = feedback(request('c1'), { ok: false, failure: NO })
    expect(ok).toBe(false)
    expect(JSON.parse(content)).toEqual({
      error: {
        class: 'persistent',
        message: 'no',
        advice: 'The same call will fail again. Change the arguments, or use another approach.',
      },
    })
  })

  test('shows head and tail of a long result, and what is missing', () => {
    const text = shown(`begin${'x'.repeat(50_000)}end`)
    expect(text.length).toBeLessThan(17_000)
    expect(JSON.parse(text)).toMatchObject({
      head: expect.stringMatching(/^begin/),
      tail: expect.stringMatching(/end$/),
      cut: expect.stringContaining('of 50008 characters are left out'),
    })
  })
})
