/** `escapement draw --as spec`: a short agent spec, expanded to an ordinary graph. */
import { expect, it } from 'vitest'
import { parse } from 'yaml'
import { parseSpec } from '../../src/core/graph/spec/read.ts'
import { newDesks } from './desk.ts'

const newDesk = newDesks()

const AGENT = `
escapement: 1
extends: agent
id: shop
instructions: You answer questions about a shop for clocks.
models: { fast: { id: gpt-4o-mini } }
tools: { read_file: { use: read_file } }
`

it('prints the same graph as YAML without `extends`', async () => {
  const desk = newDesk()
  const { out, code } = await desk.type('draw', desk.file('shop.yaml', AGENT), '--as', 'spec')
  expect(code).toBe(0)
  expect(out).toContain('use: message')
  expect(parse(out)).not.toHaveProperty('extends')
  expect(parseSpec(parse(out) as unknown)).toEqual(parseSpec(parse(AGENT) as unknown))
})
