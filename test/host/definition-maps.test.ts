/** A definition whose parts are not maps names the part. */
import { expect, it } from 'vitest'
import { defineGraph } from '../../src/index.ts'

it.each([
  ['channels', null, 'nothing'],
  ['tools', null, 'nothing'],
  ['models', null, 'nothing'],
  ['graphs', null, 'nothing'],
  ['models', [], 'a list'],
])('%s: %j', (part, value, kind) => {
  const nodes = { work: { use: 'pass', on: { done: 'end' } }, end: { final: 'success' } } as const
  const definition = { id: 'g', start: 'work', nodes, [part]: value }
  expect(() => defineGraph(definition as never)).toThrow(
    `${part}: expected a map, received ${kind}`,
  )
})
