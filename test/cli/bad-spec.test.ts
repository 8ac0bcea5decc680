/** Invalid specs: each is rejected before it runs, with location, path and expectation. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { expectRefused, GOOD, newDesks, spec } from './desk.ts'

const newDesk = newDesks()

const CEL = (expression: string) =>
  spec(`
channels: { n: { type: integer, default: 0 } }
nodes:
  A: { use: pass, when: { big: '${expression}' }, on: { done: E, done.big: E } }
  E: { final: success }
`)

/** A node `A` of this kind beside the end. */
const NODE = (node: string, rest = '') =>
  spec(`nodes:\n  A: ${node}\n  E: { final: success }\n${rest}`)

const CALLS = '{ use: tool, tool: search, args: {}, on: { done: E, error: E } }'
const CYCLE = spec(`
nodes:
  A: { use: pass, on: { done: B } }
  B: { use: pass, on: { done: A } }
  E: { final: success }
`)

type Faulty = readonly [
  name: string,
  text: string | Uint8Array,
  expected: string | RegExp | readonly string[],
]

const FAULTY: readonly Faulty[] = [
  [
    'an unknown node to start from',
    GOOD.replace('start: A', 'start: B'),
    `spec.yaml:3:1: start: unknown node 'B'; expected one of: A, E`,
  ],
  [
    'an edge to an unknown node',
    GOOD.replace('done: E', 'done: F'),
    `spec.yaml:5:25: nodes.A.on.done: unknown node 'F'; expected one of: A, E`,
  ],
  [
    'broken YAML',
    GOOD.replace('{ done: E } }', '{ done: E }'),
    /^error: spec.yaml:6:3: YAML: Flow map .* must .* end with a }\n$/,
  ],
  [
    'a value of the wrong type',
    `${GOOD}limits: { steps: many }\n`,
    'spec.yaml:7:11: limits.steps: expected a whole number of at least 1, received "many"',
  ],
  [
    'a misspelled key',
    `${GOOD}limts: { steps: 3 }\n`,
    `spec.yaml:7:1: limts: is unknown; did you mean 'limits'?`,
  ],
  [
    'an unknown key without a similar one',
    `${GOOD}limits: { laps: 3 }\n`,
    'spec.yaml:7:11: limits.laps: is unknown; expected one of: steps, toolCalls, ',
  ],
  [
    'a duration above the maximum',
    `${GOOD}limits: { duration: 99999999999999999999d }\n`,
    'spec.yaml:7:11: limits.duration: expected at most 36500d',
  ],
  [
    'a recursive alias',
    `${GOOD.replace('nodes:', 'nodes: &all')}  C: *all\n`,
    'spec.yaml:7:3: nodes.C: refers to itself',
  ],
  ['a number that is none', `${GOOD}limits: { usd: .nan }\n`, 'spec.yaml:7:11: limits.usd: is NaN'],
  [
    'a node named like what every object has',
    GOOD.replaceAll('E', 'toString'),
    'nodes.toString: this name is reserved by JavaScript',
  ],
  [
    'a newer version',
    GOOD.replace('escapement: 1', 'escapement: 2'),
    ['spec.yaml:1:1: escapement: is written for version 2', 'understands version 1: upgrade'],
  ],
  ['two starts', `${GOOD}start: E\n`, 'spec.yaml:7:1: YAML: Map keys must be unique'],
  [
    'two nodes of one name',
    GOOD.replace('  E:', '  A: { final: success }\n  E:'),
    'spec.yaml:6:3: YAML: Map keys must be unique',
  ],
  [
    'an unknown kind of node',
    NODE('{ use: magic, on: { done: E } }'),
    'spec.yaml:5:8: nodes.A.use: expected pass, message, tool, model, tools, graph, map, verify, human,',
  ],
  [
    'a misspelled end',
    GOOD.replace('final: success', 'final: sucess'),
    `spec.yaml:6:8: nodes.E.final: expected one of "success"|"failure"; did you mean 'success'?`,
  ],
  [
    'an end that is neither',
    GOOD.replace('final: success', 'final: true'),
    /nodes\.E\.final: expected one of "success"\|"failure"\n/,
  ],
  ['an empty node', GOOD.replace('{ final: success }', '{}'), 'nodes.E.use: is missing'],
  [
    'an unknown outcome',
    NODE('{ use: pass, on: { finished: E } }'),
    'nodes.A.on.finished: expected an outcome: done, error,',
  ],
  [
    'an unknown tool',
    NODE(CALLS),
    `spec.yaml:5:19: nodes.A.tool: unknown tool 'search'; expected one of: (none is declared)`,
  ],
  [
    'a tool that does not ship',
    NODE(CALLS, 'tools: { search: { use: magic } }'),
    `tools.search.use: unknown built-in tool 'magic'; expected one of: list_dir,`,
  ],
  [
    'a tool in a file that is not there',
    NODE(CALLS, 'tools: { search: { use: ./mine.ts#search } }'),
    `tools.search.use: file './mine.ts' not found`,
  ],
  [
    'a tool outside its folder',
    NODE(CALLS, 'tools: { search: { use: ./../mine.ts#search } }'),
    `'./../mine.ts' leads out of the folder of the spec`,
  ],
  [
    'a substitute that is not there',
    NODE(CALLS, 'tools: { search: { use: flaky, substitutes: [mirror] } }'),
    `tools.search.substitutes: unknown tool 'mirror'; expected one of: search`,
  ],
  [
    'substitutes in a circle',
    NODE(
      CALLS,
      'tools: { search: { use: flaky, substitutes: [mirror] }, mirror: { use: flaky, substitutes: [search] } }',
    ),
    'tools.search.substitutes: forms a cycle (search → mirror → search); expected a last substitute',
  ],
  [
    'a tool that is its own substitute',
    NODE(CALLS, 'tools: { search: { use: flaky, substitutes: [search] } }'),
    'tools.search.substitutes: forms a cycle (search → search)',
  ],
  [
    'models in a circle of substitutes',
    NODE(
      CALLS,
      'tools: { search: { use: flaky } }\nmodels: { a: { id: a, substitutes: [b] }, b: { id: b, substitutes: [a] } }',
    ),
    'models.a.substitutes: forms a cycle (a → b → a)',
  ],
  [
    'a write in place of a read',
    NODE(
      CALLS,
      'tools: { search: { use: flaky, substitutes: [put] }, put: { use: flaky, effects: write, idempotent: true } }',
    ),
    `tools.search.substitutes: 'put' writes, and 'search' reads: expected a tool with the same effects`,
  ],
  [
    'a failure that recurs only once',
    NODE(CALLS, 'tools: { search: { use: flaky } }\nfailures: { recurring: { times: 1 } }'),
    /failures.recurring.times: expected a whole number from 2 to 32, received 1/,
  ],
  [
    'no retries in all',
    NODE(CALLS, 'tools: { search: { use: flaky } }\nretry: { total: 0 }'),
    /retry.total: expected a whole number of at least 1, received 0/,
  ],
  [
    'an unknown model',
    NODE('{ use: model, model: smart, on: { done: E, error: E } }'),
    `spec.yaml:5:20: nodes.A.model: unknown model 'smart'`,
  ],
  [
    'an undeclared channel to write',
    NODE('{ use: pass, out: { sum: x }, on: { done: E } }'),
    `nodes.A.out.sum: unknown channel 'sum'`,
  ],
  [
    'an undeclared channel to read',
    NODE('{ use: pass, in: [sum], on: { done: E } }'),
    `nodes.A.in: unknown channel 'sum'`,
  ],
  [
    'CEL that cannot be parsed',
    CEL('n >> 3'),
    'spec.yaml:6:27: nodes.A.when.big: CEL: Unexpected token: GT at column 4 of `n >> 3`',
  ],
  [
    'CEL about an undeclared channel',
    CEL('m > 3'),
    'nodes.A.when.big: CEL: Unknown variable: m at column 1 of `m > 3`',
  ],
  [
    'a cycle without a way out',
    CYCLE,
    [
      'nodes.A: the cycle A → B → A has no path to a final node',
      `accept: ['cycle-without-exit nodes.A']`,
    ],
  ],
  [
    'a key that would pollute',
    GOOD.replace('  E:', '  __proto__: { polluted: yes }\n  E:'),
    'spec.yaml:6:3: nodes.__proto__: is not allowed as a key',
  ],
  [
    'a name of JavaScript',
    GOOD.replaceAll('A', 'constructor'),
    /nodes.constructor: .*reserved by JavaScript/,
  ],
  ['nothing at all', '', 'spec.yaml: is empty'],
  [
    'nothing but a remark',
    '# later\n',
    'is empty; expected a graph with escapement, id, start and nodes',
  ],
  ['a list', '- A\n- B\n', 'expected a map with escapement, id, start and nodes'],
  [
    'a binary file',
    new Uint8Array([0x7f, 0x45, 0x4c, 0x46, 0, 1, 2, 0]),
    'spec.yaml: is a binary file; expected text',
  ],
  [
    'text in another encoding',
    new Uint8Array([0x69, 0x64, 0x3a, 0x20, 0xe9, 0x0a]),
    'spec.yaml: is not UTF-8 text',
  ],
  [
    'a million aliases',
    `a: &a [x, x, x, x, x, x, x, x, x]\n${'bcdefgh'.replace(/./g, (key, at) => `${key}: &${key} [${Array(9).fill(`*${'abcdefg'[at]}`).join(', ')}]\n`)}`,
    /YAML: .*alias/i,
  ],
]

describe('a spec', () => {
  it.each(FAULTY)('with %s is rejected', async (_, text, expected) => {
    const desk = newDesk()
    expectRefused(
      await desk.type('run', desk.file('spec.yaml', text), '--store', 'threads.db'),
      ...[expected].flat(),
    )
    expect(existsSync(join(desk.folder, 'threads.db'))).toBe(false)
  })

  it('in JSON is rejected with the same message', async () => {
    const desk = newDesk()
    expectRefused(
      await desk.type(
        'lint',
        desk.file('twice.json', '{"escapement": 1, "start": "A", "start": "B"}'),
      ),
      'twice.json:1:33: JSON: Map keys must be unique',
    )
    expectRefused(
      await desk.type(
        'draw',
        desk.file('proto.json', '{"escapement": 1, "__proto__": {"polluted": 1}}'),
      ),
      'proto.json:1:19: __proto__: is not allowed as a key',
    )
  })

  it('with an intended cycle runs after it is accepted by name, and is stopped', async () => {
    const desk = newDesk()
    const accepted = `${CYCLE}accept: [cycle-without-exit nodes.A, unreachable nodes.E]\n`
    expect(await desk.type('run', desk.file('spec.yaml', accepted))).toMatchObject({
      code: 4,
      err: '',
      out: expect.stringContaining('stopped (loop)'),
    })
  })

  it.each([
    [
      '--set __proto__.polluted=1',
      `--set __proto__.polluted=1: '__proto__.polluted' is not a path of a spec`,
    ],
    ['--set nodes.__proto__.polluted=1', `'nodes.__proto__.polluted' is not a path of a spec`],
    [
      '--set constructor.prototype.polluted=1',
      `'constructor.prototype.polluted' is not a path of a spec`,
    ],
    ['--set limits={__proto__:{steps:4}}', 'limits.__proto__: is not allowed as a key'],
    ['--set limits={steps', /--set limits=\{steps: YAML: Flow map must end with a }/],
    ['--set limits', 'expected path=value'],
    ['--set limits.steps=-1', 'limits.steps: '],
  ])('changed by %s is rejected', async (args, ...expected) => {
    const desk = newDesk()
    expectRefused(
      await desk.type('run', desk.file('spec.yaml', GOOD), ...args.split(' ')),
      ...expected,
    )
  })
})
