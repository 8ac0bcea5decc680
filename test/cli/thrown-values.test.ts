/** Custom code may throw anything. The text that is printed says as much as is known, and reading it never throws. */
import { expect, it } from 'vitest'
import { thrownText } from '../../src/core/watch/failure/thrown-text.ts'
import { factsOf } from '../../src/core/watch/failure/failure.ts'
import { uncaughtText } from '../../src/faces/cli/app/uncaught.ts'
import { errorBlocks } from '../../src/faces/cli/print/error.ts'
import { draw, PIPE } from '../../src/faces/cli/print/layout.ts'
import { newDesks, spec } from './desk.ts'

const newDesk = newDesks()

const proxy = Proxy.revocable({}, {})
proxy.revoke()
const itself: Record<string, unknown> = {}
itself.self = itself

const WITHOUT = 'an error without a message was thrown'

const VALUES: readonly (readonly [name: string, value: unknown, text: string])[] = [
  ['an error', new Error('plain'), 'plain'],
  ['a text', 'boom', 'boom'],
  [
    'a list as the message',
    withMessage(['name is missing', 'id is missing']),
    'name is missing; id is missing',
  ],
  ['a map as the message', withMessage({ id: ['is missing'] }), '{"id":["is missing"]}'],
  ['a number as the message', withMessage(404), '404'],
  ['an object without a prototype', Object.assign(Object.create(null), { k: 'x' }), '{"k":"x"}'],
  ['an object with a status', { status: 503 }, '{"status":503}'],
  ['several errors', new AggregateError([new Error('a'), new Error('b'), new Error('a')]), 'a; b'],
  ['an empty object without a prototype', Object.create(null), WITHOUT],
  ['an empty error', new Error(''), WITHOUT],
  ['an object that contains itself', itself, WITHOUT],
  ['a revoked proxy', proxy.proxy, WITHOUT],
  [
    'a getter that throws',
    {
      get message() {
        throw new Error('in getter')
      },
    },
    WITHOUT,
  ],
  ['null', null, 'null was thrown'],
  ['undefined', undefined, 'undefined was thrown'],
  ['a symbol', Symbol('x'), 'Symbol(x)'],
  ['a function', () => 1, 'a function was thrown'],
]

function withMessage(message: unknown): Error {
  return Object.assign(new Error('Bad Request'), { message })
}

it.each(VALUES)('%s', (_, value, text) => {
  expect(thrownText(value)).toBe(text)
  expect(uncaughtText(value)).toBe(`error: uncaught: ${text}\n`)
  expect(draw(errorBlocks(value), PIPE)).toBe(`error: ${text}\n`)
})

it('a list as the message is the message of a failed call', () => {
  expect(factsOf(withMessage(['name is missing'])).message).toBe('name is missing')
})

it('secrets are removed from data, too', () => {
  const text = uncaughtText({ url: 'postgres://u:hunter2secret@h/db' })
  expect(text).toContain('[redacted]')
  expect(text).not.toContain('hunter2secret')
})

it.each([
  ['Object.assign(new Error("x"), { message: ["name is missing"] })', 'name is missing'],
  ['"x=1".match(/(?<k>x)/).groups', '{"k":"x"}'],
])('a forgotten promise that rejects with %s', async (thrown, text) => {
  const desk = newDesk()
  desk.file(
    'm.mjs',
    `export const forget = async () => {\n  void Promise.reject(${thrown})\n  await new Promise(resolve => setTimeout(resolve, 5_000))\n  return {}\n}\n`,
  )
  desk.file(
    'forgets.yaml',
    spec(`
nodes:
  A: { use: './m.mjs#forget', on: { done: E } }
  E: { final: success }
`),
  )
  const { code, err } = await desk.exec('run', 'forgets.yaml')
  expect({ code, err }).toEqual({ code: 1, err: `error: uncaught: ${text}\n` })
})
