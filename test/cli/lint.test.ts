/** `escapement lint`: what it refuses before a thread starts. */
import { expect, it } from 'vitest'
import { newDesks, spec } from './desk.ts'

const newDesk = newDesks()

const SEARCHES = (tool: string) =>
  spec(`
nodes:
  A: { use: tool, tool: search, on: { done: E } }
  E: { final: success }
tools: { search: ${tool} }
`)

it.each([
  ['an unknown built-in tool', '{ use: readfile }', 'readfile'],
  ['wrong settings of a built-in tool', '{ use: flaky, with: { p: yes } }', 'tools.search'],
  ['a module that does not exist', '{ use: ./tools.mjs#search }', 'tools.mjs'],
])('reports %s', async (_, tool, message) => {
  const desk = newDesk()
  const { code, err } = await desk.type('lint', desk.file('spec.yaml', SEARCHES(tool)))
  expect([code, err]).toEqual([2, expect.stringContaining(message)])
})

it('explains why a module in a CommonJS folder cannot be loaded', async () => {
  const desk = newDesk()
  desk.file('package.json', '{ "type": "commonjs" }')
  desk.file('tools.ts', `import { sep } from 'node:path'\nexport const search = sep\n`)
  const { code, err } = await desk.exec(
    'lint',
    desk.file('spec.yaml', SEARCHES('{ use: ./tools.ts#search }')),
  )
  expect([code, err]).toEqual([2, expect.stringContaining('set "type": "module" there')])
})

it('loads a module .mts in a CommonJS folder', async () => {
  const desk = newDesk()
  desk.file('package.json', '{ "type": "commonjs" }')
  desk.file('tools.mts', `import { sep } from 'node:path'\nexport const search = sep\n`)
  const { code, err } = await desk.exec(
    'lint',
    desk.file('spec.yaml', SEARCHES('{ use: ./tools.mts#search }')),
  )
  expect([code, err]).toEqual([2, expect.stringContaining('has the type string')])
})

it.each([
  ['a read', "effects: 'read'", /duration +1d .*, and 5s more/],
  ['a write that cannot be undone', "effects: 'write'", /duration +1d .*, and 5s more/],
  [
    'a write that can be undone, by the timeout of its code',
    "effects: 'write', compensate: async () => {}",
    /duration +1d .*, and 1m 5s more/,
  ],
])('bounds the time to undo %s', async (_, code, duration) => {
  const desk = newDesk()
  const tool = `{ name: 'search', description: '', parameters: {}, idempotent: true, timeout: 60_000, parse: args => args, execute: async () => 1, ${code} }`
  desk.file('tools.mjs', `export const search = ${tool}\n`)
  const { out } = await desk.type(
    'lint',
    desk.file('spec.yaml', SEARCHES('{ use: ./tools.mjs#search }')),
  )
  expect(out).toMatch(duration)
})

it.each([
  ['a write', "effects: 'write'", 2],
  ['an idempotent write', "effects: 'write', idempotent: true", 0],
  ['a read', "effects: 'read'", 0],
])('reads the effects of the code of a tool that is retried: %s', async (_, code, exit) => {
  const desk = newDesk()
  const tool = `{ name: 'search', description: '', parameters: {}, timeout: 60_000, parse: args => args, execute: async () => 1, ${code} }`
  desk.file('tools.mjs', `export const search = ${tool}\n`)
  const file = desk.file('spec.yaml', SEARCHES('{ use: ./tools.mjs#search, retry: 3 }'))
  const linted = await desk.type('lint', file)
  expect(linted.code).toBe(exit)
  if (exit !== 0) expect(linted.out).toContain('irreversible-tool-on-retried-edge')
})

it('accepts a tool that a program passes', async () => {
  const desk = newDesk()
  expect((await desk.type('lint', desk.file('spec.yaml', SEARCHES('{ use: code }')))).code).toBe(0)
})

it('counts an error that the spec accepts among the other findings', async () => {
  const desk = newDesk()
  const trap = spec(`
nodes:
  A: { use: pass, on: { done: B } }
  B: { use: pass, on: { done: B } }
  E: { final: success }
`)
  const refused = await desk.type('lint', desk.file('trap.yaml', trap))
  expect(refused.code).toBe(2)
  const found = [...refused.out.matchAll(/trap\.yaml: (\S+): error (\S+): /g)]
  const accept = found.map(([, path, rule]) => `'${rule} ${path}'`)
  const { code, out } = await desk.type(
    'lint',
    desk.file('trap.yaml', `${trap}\naccept: [${accept.join(', ')}]\n`),
  )
  expect(found.length).toBeGreaterThan(0)
  expect([code, out]).toEqual([0, expect.stringMatching(/^✓ trap\.yaml: 0 errors, /m)])
})
