/** The envelope of an answer is not the answer: each loop is seen at the lap at which it is seen without one, and healthy work is not. */
import { expect, test } from 'vitest'
import { type Json, parseJson } from '../../src/core/watch/data/json.ts'
import { MESSAGES, RECORDS } from './envelopes.ts'
import { LOOPS, type Shape, seenAt } from './loops.ts'

/** A record or a list, as a value or as JSON. */
function recordOf(result: unknown): Json | undefined {
  if (ArrayBuffer.isView(result) || result instanceof ArrayBuffer) return undefined
  const value = typeof result === 'string' ? parseJson(result) : result
  return typeof value === 'object' && value !== null ? (value as Json) : undefined
}

const textOf = (result: unknown): string =>
  typeof result === 'string' ? result : JSON.stringify(result)

type Envelopes = typeof RECORDS

/** The shape with its answers in an envelope. Answers that the envelope does not take stay. */
function enveloped(shape: Shape, envelopes: Envelopes, name: string): Shape {
  const isText = envelopes === MESSAGES
  const lap = (n: number) => {
    const of = shape.lap(n)
    const value = recordOf(of.result)
    if (of.tool === undefined || of.error || (isText ? typeof of.result !== 'string' : !value))
      return of
    const given = { value: value ?? null, text: textOf(of.result), lap: n }
    return { ...of, result: envelopes[name]?.(given) }
  }
  return { ...shape, lap }
}

/** Shapes with settings read a path of the answer itself. An envelope of lists and records in turn has one form. */
const isPlain = ({ name, tools }: Shape): boolean => tools === undefined && !/in turn/.test(name)

/** Each envelope takes every seventh shape: all would take half a minute. */
const PART = 7

const bare = new Map<Shape, ReturnType<typeof seenAt>>()

function seenAlone(shape: Shape): ReturnType<typeof seenAt> {
  if (!bare.has(shape)) bare.set(shape, seenAt(shape))
  return bare.get(shape)
}

const differences = (shapes: readonly Shape[], envelopes: Envelopes, name: string) =>
  shapes
    .filter((_, index) => index % PART === Object.keys(envelopes).indexOf(name) % PART)
    .map(shape => {
      const alone = seenAlone(shape)
      return [shape.name, alone, seenAt(enveloped(shape, envelopes, name))] as const
    })
    .filter(([, alone, inside]) => JSON.stringify(alone) !== JSON.stringify(inside))

const firstOf = (shape: Shape): unknown => shape.lap(1).result
const ofRecords = LOOPS.filter(shape => isPlain(shape) && recordOf(firstOf(shape)))
const ofTexts = LOOPS.filter(
  shape => isPlain(shape) && typeof firstOf(shape) === 'string' && !recordOf(firstOf(shape)),
)

test.each(Object.keys(RECORDS))('records in %s are read as they are alone', name => {
  expect(ofRecords.length).toBeGreaterThan(400)
  expect(differences(ofRecords, RECORDS, name)).toEqual([])
})

test.each(Object.keys(MESSAGES))('texts in %s are read as they are alone', name => {
  expect(ofTexts.length).toBeGreaterThan(400)
  expect(differences(ofTexts, MESSAGES, name)).toEqual([])
})

const NAMES = 'alpha bravo copper delta ember falcon grove harbor inlet jade'.split(' ')
const nameOf = (n: number) => `${NAMES[n % 10]}-${n}`

const NAMED: readonly (readonly [shown: string, tool: string, lap: (n: number) => object])[] = [
  ['one record by its key', 'next_job', n => ({ [nameOf(n)]: { state: 'queued' } })],
  ['a call of a telephone', 'get_call', n => ({ call_id: nameOf(n), caller: n, result: 'busy' })],
  [
    'a page and its address',
    'http_get',
    n => ({ url: nameOf(n), status: 200, body: { state: 'failed' } }),
  ],
]

test.each(NAMED)('what names the item of %s remains', (_, tool, answer) => {
  const lap = (n: number) => ({ tool, args: { url: nameOf(n) }, result: answer(n) })
  expect(seenAt({ name: '', laps: 20, lap })).toBeUndefined()
})

test('words of failure behind an exit code of 0 are not read, also of a record', () => {
  const result = (n: number) => `{"line":"${nameOf(n)}","level":"error"}\n[exit code: 0]`
  const lap = (n: number) => ({
    tool: 'bash',
    args: { command: `node ${nameOf(n)}.js` },
    result: result(n),
  })
  expect(seenAt({ name: '', laps: 20, lap })).toBeUndefined()
})
