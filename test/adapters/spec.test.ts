/** Reading a spec, its modules and its scripts from files: faults have a location, and nothing throws. */
import { mkdir, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { describe, expect, test } from 'vitest'
import { loadSpec } from '../../src/adapters/spec/library.ts'
import { loadUses } from '../../src/adapters/spec/load-uses.ts'
import { faultText } from '../../src/adapters/spec/source.ts'
import { folderWith } from '../kit/fake.ts'

const SOUND = `escapement: 1
id: tiny
start: A
nodes:
  A: { use: pass, on: { done: E } }
  E: { final: success }
`

/** What is wrong with a file of this name and content, as people read it; the folder is left out. */
async function wrongWith(content: string | Uint8Array, name = 'spec.yaml') {
  const folder = await folderWith({ [name]: content })
  const { faults = [] } = await loadSpec(join(folder, name))
  return faults.map(fault => faultText({ ...fault, file: relative(folder, fault.file) }))
}

describe('a file that cannot be read', () => {
  test.each([
    ['empty', '', 'spec.yaml: is empty'],
    [
      'only comments',
      '# nothing\n',
      'spec.yaml: (the spec): is empty; expected a graph with escapement, id, start and nodes',
    ],
    ['binary', new Uint8Array([1, 2, 0, 3]), 'spec.yaml: is a binary file; expected text'],
    [
      'of another encoding',
      new Uint8Array([105, 100, 58, 32, 252]),
      'spec.yaml: is not UTF-8 text',
    ],
    [
      'huge',
      `# ${'x'.repeat(1_000_000)}`,
      'spec.yaml: has 1000002 bytes; expected at most 1000000',
    ],
    [
      'a list',
      '- a\n- b\n',
      'spec.yaml: (the spec): expected a map with escapement, id, start and nodes',
    ],
  ])('%s', async (_, content, message) => {
    expect(await wrongWith(content)).toEqual([message])
  })

  test('that is missing, a folder, or of another kind', async () => {
    const folder = await folderWith({ 'spec.txt': SOUND })
    await mkdir(join(folder, 'spec.yaml'))
    expect((await loadSpec(join(folder, 'gone.yaml'))).faults).toMatchObject([
      { message: 'file not found' },
    ])
    expect((await loadSpec(join(folder, 'spec.yaml'))).faults).toMatchObject([
      { message: 'is not a file' },
    ])
    expect((await loadSpec(join(folder, 'spec.txt'))).faults).toMatchObject([
      { message: 'expected a file ending in .yaml, .yml, .json' },
    ])
  })
})

describe('invalid YAML', () => {
  // The parser alone needs minutes for it.
  test('a doubled key is found among 100,000', async () => {
    const keys = Array.from({ length: 100_000 }, (_, index) => `k${index}: 1\n`)
    expect(await wrongWith([...keys, 'k7: 2\n'].join(''))).toEqual([
      'spec.yaml:100001:1: YAML: Map keys must be unique',
    ])
  })

  test.each([
    [
      'bad indentation',
      'a:\n  b: 1\n c: 2\n',
      'spec.yaml:3:1: YAML: All mapping items must start at the same column',
    ],
    [
      'a doubled key',
      'escapement: 1\nid: a\nid: b\n',
      'spec.yaml:3:1: YAML: Map keys must be unique',
    ],
    [
      'two documents',
      `${SOUND}---\n${SOUND}`,
      expect.stringMatching(/^spec\.yaml:7:1: YAML: Source contains multiple documents/),
    ],
    [
      'an unknown tag',
      `${SOUND}description: !!js/function x\n`,
      expect.stringMatching(/^spec\.yaml:7:14: YAML: Unresolved tag/),
    ],
    [
      'an alias to nowhere',
      `${SOUND}description: *nowhere\n`,
      expect.stringMatching(/YAML: Unresolved alias.*nowhere/),
    ],
  ])('%s', async (_, content, message) => {
    expect(await wrongWith(content)).toEqual([message])
  })

  test('reports only the first five faults', async () => {
    expect(await wrongWith(Array.from({ length: 30 }, () => 'a: 1').join('\n'))).toHaveLength(5)
  })

  test('rejects a YAML bomb at once', async () => {
    const bomb = [
      'a: &a [x, x, x, x, x, x, x, x, x]',
      ...'bcdefghi'
        .split('')
        .map(
          (key, index) =>
            `${key}: &${key} [${Array.from({ length: 9 }, () => `*${'abcdefgh'[index]}`).join(', ')}]`,
        ),
    ].join('\n')
    expect(await wrongWith(bomb)).toEqual([
      'spec.yaml: YAML: Excessive alias count indicates a resource exhaustion attack',
    ])
  })

  test('rejects thousands of anchors and aliases, which the parser would compare with each other', async () => {
    expect(await wrongWith(`a: [${'&a 1, *a, '.repeat(60_000)}1]`)).toEqual([
      'spec.yaml:1:10011: YAML: expected at most 1000 aliases',
    ])
  })

  test('rejects brackets nested 100,000 levels deep', async () => {
    expect((await wrongWith(`a: ${'['.repeat(100_000)}`))[0]).toMatch(
      /^spec\.yaml.*: YAML: is nested too deep$/,
    )
  })
})

describe('JSON', () => {
  const json = {
    escapement: 1,
    id: 'tiny',
    start: 'A',
    nodes: { A: { use: 'pass', on: { done: 'E' } }, E: { final: 'success' } },
  }

  test('is read like YAML, also with tabs', async () => {
    expect(await wrongWith(JSON.stringify(json, undefined, '\t'), 'spec.json')).toEqual([])
    expect(
      await wrongWith(JSON.stringify({ ...json, start: 'X' }, undefined, 2), 'spec.json'),
    ).toEqual(["spec.json:4:3: start: unknown node 'X'; expected one of: A, E"])
  })

  test('must not contain duplicate keys', async () => {
    expect((await wrongWith('{ "id": tiny }', 'spec.json')).join()).toMatch(/^spec\.json: JSON: /)
    expect((await wrongWith('{\n  "id": "a",\n', 'spec.json'))[0]).toMatch(
      /^spec\.json(:\d+:\d+)?: JSON: /,
    )
    expect(await wrongWith('{\n  "id": "a",\n  "id": "b"\n}', 'spec.json')).toEqual([
      'spec.json:3:3: JSON: Map keys must be unique',
    ])
  })
})

describe('an invalid spec', () => {
  test.each([
    [
      'an edge to nowhere',
      SOUND.replace('done: E', 'done: X'),
      "spec.yaml:5:25: nodes.A.on.done: unknown node 'X'; expected one of: A, E",
    ],
    [
      'an edge to nowhere, its outcome written with a dot',
      SOUND.replace('done: E', 'done: E, done.more: X'),
      "spec.yaml:5:34: nodes.A.on.done.more: unknown node 'X'; expected one of: A, E",
    ],
    [
      'no version',
      SOUND.replace('escapement: 1\n', ''),
      'spec.yaml: escapement: is missing; expected `escapement: 1` as the first line of a spec, the version of its notation',
    ],
    [
      'a version that is a text',
      SOUND.replace('escapement: 1', 'escapement: "1"'),
      'spec.yaml:1:1: escapement: expected the number 1',
    ],
    [
      'a list where a map belongs',
      `${SOUND}tools: [hammer]\n`,
      'spec.yaml:7:1: tools: expected a map, received a list',
    ],
    [
      'a map where a list belongs',
      `${SOUND}input: { goal: 1 }\n`,
      'spec.yaml:7:1: input: expected a list, received a map',
    ],
    [
      'a number where a map belongs',
      `${SOUND}limits: 4\n`,
      'spec.yaml:7:1: limits: expected a map, received 4',
    ],
    [
      'a merge key',
      SOUND.replace('A: {', 'A: &a {').replace('  E:', '  B: { <<: *a, phase: true }\n  E:'),
      'spec.yaml:6:8: YAML: merge keys (`<<`) are not read; expected the settings written out here, or an alias in the place of a whole value (`on: *edges`)',
    ],
    [
      'a wrong type',
      SOUND.replace('id: tiny', 'id: 7'),
      'spec.yaml:2:1: id: expected a name of letters, digits, _ and -, beginning with a letter, received 7',
    ],
    [
      'something missing, placed at what surrounds it',
      SOUND.replace('use: pass, on: { done: E }', 'use: pass'),
      'spec.yaml:5:3: nodes.A.on: is missing; expected the targets of its outcomes',
    ],
    [
      'a word that is not known',
      `${SOUND}limit: { steps: 3 }\n`,
      `spec.yaml:7:1: limit: is unknown; did you mean 'limits'?`,
    ],
    [
      'a newer version',
      SOUND.replace('escapement: 1', 'escapement: 2'),
      'spec.yaml:1:1: escapement: is written for version 2 of the notation; this build understands version 1: upgrade escapement',
    ],
    [
      'a key that reaches into the prototype',
      `${SOUND}channels: { __proto__: { type: string } }\n`,
      'spec.yaml:7:13: channels.__proto__: is not allowed as a key',
    ],
    [
      'an unknown tool',
      SOUND.replace('use: pass', 'use: tool, tool: hammer'),
      "spec.yaml:5:19: nodes.A.tool: unknown tool 'hammer'; expected one of: (none is declared)",
    ],
    [
      'a condition that is not CEL',
      SOUND.replace('use: pass', "use: pass, when: { big: '1 +' }"),
      expect.stringMatching(
        /^spec\.yaml:5:27: nodes\.A\.when\.big: CEL: .* at column \d+ of `1 \+`$/,
      ),
    ],
    [
      'an item of a list',
      `${SOUND}escape: { ladder: [retry, fly] }\n`,
      expect.stringMatching(/^spec\.yaml:7:27: escape\.ladder\[1\]: /),
    ],
  ])('%s', async (_, content, message) => {
    expect(await wrongWith(content)).toEqual([message])
  })

  test('may use an alias for a value, and `<<` in quotes as a name', async () => {
    const aliased = SOUND.replace('on: {', 'on: &edges {').replace(
      '  E:',
      "  B: { use: tool, tool: echo, args: { '<<': 1 }, on: *edges }\n  E:",
    )
    expect(await wrongWith(`${aliased}tools: { echo: { use: flaky } }\n`)).toEqual([])
  })

  test('may be changed before it is checked', async () => {
    const folder = await folderWith({ 'spec.yaml': SOUND })
    const { spec } = await loadSpec(join(folder, 'spec.yaml'), value => ({
      ...(value as object),
      id: 'other',
    }))
    expect(spec?.id).toBe('other')
  })
})

describe('files beside a spec', () => {
  const OWN = `escapement: 1
id: own
start: A
nodes:
  A: { use: ./parts.mjs#greet, with: { word: hello }, on: { done: B } }
  B: { use: tool, tool: t, on: { done: E } }
  E: { final: success }
tools:
  t: { use: ./sub/tools.mjs#hammer }
models:
  m: { id: x, offline: ./m.yaml }
`
  const PARTS = {
    'parts.mjs':
      'export const greet = async (task, settings) => settings.word\nexport const five = 5',
    'sub/tools.mjs': 'export const hammer = { execute: async () => 1 }',
    'm.yaml': '- say: hello',
  }

  async function loaded(
    files: Readonly<Record<string, string>>,
    links: Readonly<Record<string, string>> = {},
    spec = OWN,
  ) {
    const folder = await folderWith({ 'spec.yaml': spec, ...files }, links)
    const read = await loadSpec(join(folder, 'spec.yaml'))
    if (read.faults) throw new Error(read.faults.map(faultText).join('\n'))
    const { uses, faults = [] } = await loadUses(read)
    return {
      uses,
      faults: faults.map(fault => faultText({ ...fault, file: relative(folder, fault.file) })),
    }
  }

  test('loads nodes, tools and scripts under their names in the spec', async () => {
    const { uses, faults } = await loaded(PARTS)
    expect(faults).toEqual([])
    expect(await uses?.nodes.A?.({} as never, { word: 'hello' })).toBe('hello')
    expect(uses?.tools.t).toHaveProperty('execute')
    expect(uses?.scripts.m).toMatchObject([{ say: 'hello', times: 1 }])
  })

  test('names a missing file with the location of its reference', async () => {
    const { faults } = await loaded({})
    expect(faults).toEqual([
      "spec.yaml:5:8: nodes.A.use: file './parts.mjs' not found",
      "spec.yaml:9:8: tools.t.use: file './sub/tools.mjs' not found",
      "spec.yaml:11:15: models.m.offline: file './m.yaml' not found",
    ])
  })

  test.each([
    [
      'an export that is missing',
      { ...PARTS, 'parts.mjs': 'export const five = 5' },
      "spec.yaml:5:8: nodes.A.use: './parts.mjs' exports no 'greet'; it exports: five",
    ],
    [
      'an export of another kind',
      { ...PARTS, 'parts.mjs': 'export const greet = 5' },
      "spec.yaml:5:8: nodes.A.use: 'greet' in './parts.mjs' has the type number; expected what node(…) returns",
    ],
    [
      'a module that breaks',
      { ...PARTS, 'parts.mjs': "throw new Error('no luck')" },
      "spec.yaml:5:8: nodes.A.use: './parts.mjs' cannot be loaded: no luck",
    ],
    [
      'a script that is wrong',
      { ...PARTS, 'm.yaml': '- say: hello\n- { say: hello, sing: hello }\n' },
      expect.stringMatching(/m\.yaml:2:17: \[1\]\.sing: is unknown$/),
    ],
    [
      'a script that is not YAML',
      { ...PARTS, 'm.yaml': '- say: [' },
      expect.stringMatching(/m\.yaml:\d+:\d+: YAML: /),
    ],
  ])('%s', async (_, files, message) => {
    expect((await loaded(files)).faults).toEqual([message])
  })

  test('never loads a file outside the folder of the spec', async () => {
    const elsewhere = await folderWith({ 'parts.mjs': PARTS['parts.mjs'] })
    await writeFile(join(elsewhere, 'm.yaml'), '- say: hello')
    const up = await loaded(
      PARTS,
      {},
      OWN.replace('./parts.mjs', './../parts.mjs').replace('./m.yaml', '../m.yaml'),
    )
    expect(up.faults).toEqual([
      "spec.yaml:5:8: nodes.A.use: './../parts.mjs' leads out of the folder of the spec; only files beside it or below can be used",
      "spec.yaml:11:15: models.m.offline: '../m.yaml' leads out of the folder of the spec; only files beside it or below can be used",
    ])
    const { 'parts.mjs': _, ...others } = PARTS
    const linked = await loaded(others, { 'parts.mjs': join(elsewhere, 'parts.mjs') })
    expect(linked.faults).toEqual([
      "spec.yaml:5:8: nodes.A.use: './parts.mjs' is a link that leads out of the folder of the spec",
    ])
  })
})
