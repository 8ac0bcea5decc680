/** Architecture rules (section 3): allowed imports, names that core and runtime must not use, and size limits. */
import { basename, dirname } from 'node:path'
import { describe, expect, test } from 'vitest'
import { circlesIn } from './architecture/circles.ts'
import { functionsOf } from './architecture/functions.ts'
import {
  FLOORS,
  floorOf,
  importsOf,
  roomOf,
  type SourceFile,
  sourceFiles,
} from './architecture/source.ts'
import { tokensOf } from './architecture/tokens.ts'

const FILE_LINES = 300
const FUNCTION_LINES = 70

/** The npm packages of each room, as patterns; `node:` modules are named where they are allowed. The nearest name decides. */
const PACKAGES: Readonly<Record<string, readonly RegExp[]>> = {
  'core/watch': [/^re2js$/, /^zod$/],
  'core/graph': [/^zod$/, /^@marcbachmann\/cel-js$/, /^graphology(-.+)?$/, /^xstate$/],
  core: [],
  runtime: [/^zod$/, /^node:(?!timers|fs|child_process|sqlite|http|net)/],
  kit: [/^zod$/, /^node:/],
  testing: [/^zod$/, /^node:/, /^vitest$/],
  simulate: [/^zod$/],
  adapters: [/^node:/],
  host: [/^node:/],
  'host/dbos': [/^node:/, /^pg$/],
  'host/langgraph': [/^@langchain\/(core|langgraph)(\/|$)/],
  'adapters/spec': [/^node:/, /^yaml$/],
  'adapters/store': [/^node:/, /^pg$/],
  'adapters/model': [/^node:/, /^@langchain\//],
  'adapters/notify': [/^node:/, /^nodemailer$/],
  'adapters/tools': [/^@langchain\/core\//],
  'adapters/telemetry': [/^prom-client$/, /^@opentelemetry\/api$/, /^pino$/],
  // Each its own peer; zod is what langchain declares state with.
  'adapters/wrap': [/^langchain$/, /^zod$/, /^ai$/, /^@openai\/agents$/],
  faces: [/^node:/, /^yaml$/, /^commander$/, /^(slice-ansi|string-width|wrap-ansi)$/],
  'faces/http': [
    /^node:/,
    /^zod$/,
    /^hono(\/.+)?$/,
    /^@hono\/node-server$/,
    /^@modelcontextprotocol\/server$/,
  ],
  top: [/^node:/],
  machines: [/^xstate$/],
  graphs: [/^@langchain\/langgraph$/],
}

const files = sourceFiles()
/** Each rule returns one line per violation with its file. */
const broken = (rule: (file: SourceFile) => readonly string[]): readonly string[] =>
  files.flatMap(file => rule(file).map(what => `${file.path} ${what}`))

describe('imports', () => {
  test('point downward: faces, host, adapters, simulate, testing, kit, runtime, core, core/graph, core/watch', () => {
    expect(
      broken(({ room, imports }) =>
        imports.flatMap(({ target, own }) => {
          if (!own || !target.startsWith('src/') || floorOf(room) < 0) return []
          return floorOf(roomOf(target)) > floorOf(room)
            ? [`imports ${target}, which stands above it (the floors are ${FLOORS.join(' < ')})`]
            : []
        }),
      ),
    ).toEqual([])
  })

  test('adapters and faces never import one another; wraps import only core/watch', () => {
    expect(
      broken(({ path, room, imports }) =>
        imports.flatMap(({ target, own }) => {
          if (!own) return []
          const [other, floor] = [roomOf(target), room.split('/')[0]]
          if (room === 'adapters/wrap' && other !== 'core/watch' && unitOf(target) !== unitOf(path))
            return [`imports ${target}: a wrap may import core/watch only`]
          const stranger =
            (floor === 'adapters' || floor === 'faces') &&
            other.startsWith(`${floor}/`) &&
            unitOf(target) !== unitOf(path)
          return stranger ? [`imports ${target}: ${floor} never import one another`] : []
        }),
      ),
    ).toEqual([])
  })

  test('machines and graphs import only types of core, no file imports main.ts, and src imports only src', () => {
    expect(
      broken(({ room, imports }) =>
        imports.flatMap(({ target, own, typeOnly }) => {
          if (!own) return []
          if (target === 'src/main.ts')
            return [`imports ${target}: the composition root must not be imported`]
          const outside = room === 'machines' || room === 'graphs'
          if (outside && target.startsWith('src/') && !(target.startsWith('src/core/') && typeOnly))
            return [`imports ${target}: ${room} may import types of src/core only`]
          return !outside &&
            !target.startsWith('src/') &&
            !(room === 'top' && /^(machines|graphs)\//.test(target)) &&
            target !== 'package.json'
            ? [`imports ${target}, outside of src`]
            : []
        }),
      ),
    ).toEqual([])
  })

  test('each folder imports only its own packages', () => {
    expect(
      broken(({ room, imports }) => {
        const allowed = PACKAGES[room] ?? PACKAGES[room.split('/')[0] ?? ''] ?? []
        // A statechart by hand has XState's type wherever it is handed on; XState's functions stay in core/graph.
        const isChart = (target: string, typeOnly: boolean) =>
          target === 'xstate' && typeOnly && floorOf(room) > floorOf('runtime')
        return imports.flatMap(({ target, own, typeOnly }) =>
          own || isChart(target, typeOnly) || allowed.some(pattern => pattern.test(target))
            ? []
            : [`imports ${target}: ${room} may import ${allowed.join(' ') || 'no package'}`],
        )
      }),
    ).toEqual([])
  })

  test('go in one direction between folders, including types', () => {
    const ways = new Set(
      files.flatMap(({ path, imports }) =>
        path.startsWith('src/')
          ? imports.flatMap(({ target, own }) =>
              own && dirname(target) !== dirname(path)
                ? [`${dirname(path)} → ${dirname(target)}`]
                : [],
            )
          : [],
      ),
    )
    const pairs = [...ways].flatMap(way => {
      const [one = '', other = ''] = way.split(' → ')
      return one < other && ways.has(`${other} → ${one}`) ? [`${one} ↔ ${other}`] : []
    })
    expect(pairs.toSorted()).toEqual([])
  })

  test('contain no cycle, including types', () => {
    expect(circlesIn(files).map(circle => `a circle: ${circle.join(' → ')}`)).toEqual([])
  })
})

describe('core and runtime', () => {
  const BANNED = [
    /\bDate \. now\b/,
    /\bnew Date\b/,
    /\bMath \. random\b/,
    /\bset(Timeout|Interval|Immediate)\b/,
    /\bperformance\b/,
    /\brandom(UUID|Bytes|Int)\b/,
    /\bgetRandomValues\b/,
    /\bprocess \. (hrtime|nextTick|uptime)\b/,
  ]

  test('use no clock and no randomness', () => {
    expect(
      broken(({ room, tokens }) => {
        if (room !== 'runtime' && room.split('/')[0] !== 'core') return []
        const code = codeOf(tokens)
        return BANNED.flatMap(pattern =>
          pattern.test(code)
            ? [`says ${pattern.exec(code)?.[0]}: time and chance come in through events and ports`]
            : [],
        )
      }),
    ).toEqual([])
  })

  test('core is pure: no async, no await, no node: module', () => {
    expect(
      broken(({ room, tokens, imports }) => {
        if (room.split('/')[0] !== 'core') return []
        const words = tokens.filter(
          ({ kind, text }) =>
            kind === 'word' && (text === 'async' || text === 'await' || text === 'Promise'),
        )
        const modules = imports.filter(({ target }) => target.startsWith('node:'))
        return [
          ...words.map(({ text, line }) => `says ${text} on line ${line}: core only decides`),
          ...modules.map(({ target }) => `imports ${target}: core also runs in a browser`),
        ]
      }),
    ).toEqual([])
  })
})

describe('sizes and names', () => {
  test(`a file has at most ${FILE_LINES} lines`, () => {
    expect(
      broken(({ text }) => {
        const lines = text.trimEnd().split('\n').length
        return lines > FILE_LINES ? [`has ${lines} lines, more than ${FILE_LINES}`] : []
      }),
    ).toEqual([])
  })

  test(`a function has at most ${FUNCTION_LINES} lines`, () => {
    expect(
      broken(({ tokens }) =>
        functionsOf(tokens)
          .filter(({ lines }) => lines > FUNCTION_LINES)
          .map(
            ({ line, lines }) =>
              `has a function of ${lines} lines on line ${line}, more than ${FUNCTION_LINES}`,
          ),
      ),
    ).toEqual([])
  })

  test('a file name describes its content, not a leftover category', () => {
    expect(
      broken(({ path }) => {
        const nameless =
          /^(types?|utils?|helpers?|misc|common|shared)(\.d)?\.ts$/.test(basename(path)) ||
          /\/(common|helpers?|utils?|misc|shared)\//.test(path)
        return nameless
          ? ['has a name that says nothing: if a helper has no home, its caller is its home']
          : []
      }),
    ).toEqual([])
  })

  test('comments contain no open tasks, and only faces write to the console', () => {
    expect(
      broken(({ path, room, text, tokens }) => {
        const left = text
          .split('\n')
          .flatMap((line, index) =>
            /\b(TODO|FIXME|HACK|XXX)\b/.test(line)
              ? [`has a ${/TODO|FIXME|HACK|XXX/.exec(line)?.[0]} on line ${index + 1}`]
              : [],
          )
        const speaks =
          room.split('/')[0] !== 'faces' &&
          path !== 'src/main.ts' &&
          /\bconsole \./.test(codeOf(tokens))
            ? ['speaks to the console: only faces do']
            : []
        return [...left, ...speaks]
      }),
    ).toEqual([])
  })
})

/** The rules depend on this reader. */
describe('the reader of sources', () => {
  const lengths = (source: string) => functionsOf(tokensOf(source)).map(({ lines }) => lines)

  test.each([
    ['function a(x: { b: 1 }): { c: 2 } {\n\n}', [3]],
    ['const a = async (x: string): Promise<void> => {\n\n\n}', [4]],
    ['const a = x =>\n  b(x)\n    .then(c)\nconst d = 1', [3]],
    ['const a = x => ({\n  b: x,\n})\nconst c = {\n\n}', [3]],
    ['class A {\n  b(): void {\n\n  }\n  get c() {\n    return 1\n  }\n}', [3, 3]],
    ['if (a) {\n\n}\nfor await (const b of c) {\n\n}\nswitch (d) {\n}', []],
    ['interface A {\n  b(): void\n}\nconst c = { d: 1,\n e: 2 }', []],
    [`const a = \`\${b.map(c => {\n  return c\n}).join()} {\`\nfunction d() {\n\n}`, [3, 3]],
    ['const a = /[/{]/.test(b)\n// function c() {\nfunction d() {\n}', [2]],
  ])('%j', (source, expected) => {
    expect(lengths(source)).toEqual(expected)
  })

  test('finds imports in every form, and ignores comments and strings', () => {
    const source =
      "import type { A } from './a.ts'\nimport './b.ts'\nexport { c } from '../c.ts'\nconst d = await import('d')\n// import e from './e.ts'\nconst f = \"import g from './g.ts'\""
    expect(importsOf('src/core/x.ts', tokensOf(source))).toEqual([
      { target: 'src/core/a.ts', own: true, typeOnly: true },
      { target: 'src/core/b.ts', own: true, typeOnly: false },
      { target: 'src/c.ts', own: true, typeOnly: false },
      { target: 'd', own: false, typeOnly: false },
    ])
  })

  test('reports a circle with its files in order', () => {
    const file = (path: string, target: string) => ({
      path,
      imports: [{ target, own: true, typeOnly: true }],
    })
    expect(circlesIn([file('a', 'b'), file('b', 'c'), file('c', 'b')])).toEqual([['b', 'c', 'b']])
  })

  test('the whole tree is read', () => {
    expect(files.length).toBeGreaterThan(60)
    expect(
      files
        .filter(({ room }) => floorOf(room) < 0 && room !== 'machines' && room !== 'graphs')
        .map(({ path }) => `${path} lies in no known room`),
    ).toEqual([])
  })
})

/** Words and signs with a space between, without texts: `Date . now ( )`. */
function codeOf(tokens: SourceFile['tokens']): string {
  return tokens.map(({ kind, text }) => (kind === 'text' ? '""' : text)).join(' ')
}

/** One adapter or face: its folder, or the files that share the first word of their name. */
function unitOf(path: string): string {
  const [, floor = '', group = '', inner = ''] = path.split('/')
  const grouped =
    floor === 'adapters' && ['store', 'host', 'wrap', 'model', 'tools'].includes(group)
  const own = grouped ? `${group}/${inner}` : group
  return `${floor}/${own.replace(/\.ts$/, '').replace(/(\/[a-z]+)-.*$/, '$1')}`
}
