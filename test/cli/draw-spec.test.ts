/** `escapement draw`: each form for each graph of the package, and a short agent spec that is expanded to an ordinary graph. */
import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
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

const GRAPHS = new URL('../../graphs/', import.meta.url)
const SPECS = readdirSync(GRAPHS).filter(file => /^[\w.]+(?<!script|scenario)\.yaml$/.test(file))

it.each(SPECS)('draws %s in each form', async name => {
  const desk = newDesk()
  const file = fileURLToPath(new URL(name, GRAPHS))
  for (const form of ['text', 'mermaid', 'dot', 'json', 'xstate', 'scxml', 'spec']) {
    const { out, err, code } = await desk.type('draw', file, '--as', form)
    expect({ form, err, code }).toEqual({ form, err: '', code: 0 })
    expect(out).toContain('\n')
  }
})
