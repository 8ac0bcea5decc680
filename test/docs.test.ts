/** README and docs are correct: their graphs pass lint, their programs run, their links lead somewhere. */
import { execFile, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join, resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { LLMock } from '@copilotkit/aimock'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { lint } from '../src/core/graph/lint/lint.ts'
import { changePolicy } from '../src/core/graph/spec/policy-schema.ts'
import { readSpec } from '../src/core/graph/spec/read.ts'
import type { Json } from '../src/core/watch/data/json.ts'
import { POLICY } from '../src/core/watch/policy/policy.ts'
import { readScenario } from '../src/simulate/scenario/scenario.ts'
import { environmentOf } from './durability/process.ts'
import { newDatabase, npmPostgres } from './fixture/postgres.ts'

const root = resolve(import.meta.dirname, '..')
const pages = [
  'README.md',
  ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter(file => file.endsWith('.md'))
    .map(file => `docs/${file}`),
]

const escaped = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)

interface Block {
  readonly page: string
  readonly line: number
  readonly text: string
  /** The output that the page shows below the program. `…` stands for any text. */
  readonly prints: string | undefined
}

const PRINTS = /^\n\nIt prints:\n\n```text\n([\s\S]*?)```/

function blocks(language: string): Block[] {
  return pages.flatMap(page => {
    const text = readFileSync(join(root, page), 'utf8')
    return [...text.matchAll(new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, 'g'))].map(
      found => ({
        page,
        line: text.slice(0, found.index).split('\n').length,
        text: found[1] ?? '',
        prints: PRINTS.exec(text.slice(found.index + found[0].length))?.[1],
      }),
    )
  })
}

/** The source file of an entry point, relative to a folder of `test`. */
function sourceOf(name: string): string {
  const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    exports: Record<string, { default: string }>
  }
  const built = exports[name.replace('escapement', '.')]?.default ?? ''
  return built.replace('./dist/', '../src/').replace(/\.js$/, '.ts')
}

/** The pages with workflows. */
const WORKFLOWS = ['docs/simulation.md']

describe('graphs in the documents', () => {
  for (const { page, line, text } of blocks('yaml')) {
    test(`${page}:${line} is valid and passes lint`, () => {
      const content = parse(text) as Record<string, Json>
      if (Object.hasOwn(content, 'scenario'))
        return expect(readScenario(content).faults).toBeUndefined()
      // A workflow of GitHub. Its command runs in cli/simulation-docs.test.ts.
      if (Object.hasOwn(content, 'jobs')) return expect(WORKFLOWS).toContain(page)
      // Without the version key, it is a policy for `--policy`.
      if (!Object.hasOwn(content, 'escapement'))
        return expect(changePolicy(POLICY, content).faults).toBeUndefined()
      const { spec, faults } = readSpec(content)
      expect(faults).toBeUndefined()
      expect(
        spec
          ? lint(spec).filter(({ severity, accepted }) => severity === 'error' && !accepted)
          : [],
      ).toEqual([])
    })
  }
})

describe('programs in the documents', () => {
  const isTest = ({ text }: Block) => text.includes("from 'vitest'")
  const nameOf = (block: Block) =>
    `${block.page.replace(/\W/g, '-')}-${block.line}${isTest(block) ? '.test' : ''}.ts`
  let folder = ''
  // The endpoint for programs that name a real model.
  const endpoint = new LLMock({ port: 0 })
  beforeAll(async () => {
    endpoint.addFixture({ match: { predicate: () => true }, response: { content: 'Three.' } })
    await endpoint.start()
    folder = mkdtempSync(join(root, '.docs-'))
    mkdirSync(join(folder, 'node_modules'))
    symlinkSync(root, join(folder, 'node_modules/escapement'))
    writeFileSync(
      join(folder, 'tsconfig.json'),
      JSON.stringify({
        extends: join(root, 'tsconfig.json'),
        compilerOptions: { noUnusedLocals: false },
        include: ['*.ts'],
      }),
    )
    // Imports of the package use the sources.
    const ofSource = (text: string) =>
      text.replaceAll(
        /(from|import) '(escapement[^']*)'/g,
        (_, word, name) => `${word} '${sourceOf(name)}'`,
      )
    for (const block of blocks('ts'))
      writeFileSync(join(folder, nameOf(block)), ofSource(block.text))
  })
  afterAll(async () => {
    rmSync(folder, { recursive: true, force: true })
    await endpoint.stop()
  })

  test('compile', () => {
    const { stdout } = spawnSync(
      join(root, 'node_modules/.bin/tsc'),
      ['-p', folder, '--pretty', 'false'],
      { encoding: 'utf8' },
    )
    expect(stdout).toBe('')
  })

  test('the first one stops without a key, before it creates a thread', () => {
    const [first] = blocks('ts')
    rmSync(join(folder, 'shop.db'), { force: true })
    const env = environmentOf()
    const { status, stderr } = spawnSync(process.execPath, [nameOf(first as Block)], {
      ...{ cwd: folder, env, encoding: 'utf8' },
    })
    expect([status, existsSync(join(folder, 'shop.db'))]).toEqual([1, false])
    expect(stderr).toContain('Error: set OPENAI_API_KEY')
  })

  test('the first one continues its thread after any number of stops during a call', async () => {
    const [first] = blocks('ts')
    const asked: (() => void)[] = []
    const slow = createServer(() => asked.pop()?.()).listen(0, '127.0.0.1')
    await once(slow, 'listening')
    const { port } = slow.address() as AddressInfo
    const run = (address: string) => {
      const OPENAI_BASE_URL = `${address}/v1`
      const env = { ...process.env, OPENAI_API_KEY: 'sk-test', OPENAI_BASE_URL }
      return spawn(process.execPath, [nameOf(first as Block)], { cwd: folder, env })
    }
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGTERM'] as const) {
      const isAsked = new Promise<void>(resolve => asked.push(resolve))
      const child = run(`http://127.0.0.1:${port}`)
      await isAsked
      // npm, `node --watch` and a terminal send a signal to the process twice.
      const again = setInterval(() => child.kill(signal), 1)
      const end = await once(child, 'exit')
      clearInterval(again)
      expect(end).toEqual([143, null])
    }
    slow.closeAllConnections()
    slow.close()
    const last = run(endpoint.url)
    const printed = await text(last.stdout)
    expect(printed).toContain("success { answer: 'Three.' }")
    rmSync(join(folder, 'shop.db'))
  })

  for (const block of blocks('ts')) {
    test(`${block.page}:${block.line} runs`, async () => {
      const vitest = [join(root, 'node_modules/vitest/vitest.mjs'), 'run', '--root', folder]
      const OPENAI_BASE_URL = `${endpoint.url}/v1`
      const needsDatabase = block.text.includes('DATABASE_URL')
      const DATABASE_URL = needsDatabase ? await newDatabase(await npmPostgres()) : ''
      const env = { ...process.env, OPENAI_API_KEY: 'sk-test', OPENAI_BASE_URL, DATABASE_URL }
      const args = [...(isTest(block) ? vitest : []), nameOf(block)]
      const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: folder, env })
      const lines = block.prints?.split('…').map(escaped)
      if (lines) expect(stdout).toMatch(new RegExp(`^${lines.join('[^]*?')}$`))
    })
  }
})

describe('the exports of the package', () => {
  const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    exports: Record<string, string | { default: string }>
  }
  const entries = Object.values(exports).flatMap(entry =>
    typeof entry === 'string'
      ? []
      : [join(root, entry.default.replace('./dist/', 'src/').replace(/\.js$/, '.ts'))],
  )

  test('have a guard for each error', async () => {
    const names = (await import('../src/index.ts')) as unknown as Record<string, unknown>
    const errors = Object.entries(names).filter(
      ([, of]) => typeof of === 'function' && of.prototype instanceof Error,
    )
    expect(errors.length).toBeGreaterThan(10)
    expect(errors.flatMap(([name]) => (`is${name}` in names ? [] : [name]))).toEqual([])
  })

  test('have an example for each function', async () => {
    const names = (await import('../src/index.ts')) as unknown as Record<string, unknown>
    const text = readFileSync(join(root, 'src/index.ts'), 'utf8')
    const bare = [...text.matchAll(/^export \{([^}]*)\} from '([^']+)'/gm)].flatMap(
      ([, list = '', from = '']) =>
        list
          .split(',')
          .map(name => name.trim())
          .filter(name => {
            const of = names[name]
            if (typeof of !== 'function' || of.prototype instanceof Error || /^is[A-Z]/.test(name))
              return false
            const source = readFileSync(join(root, 'src', from), 'utf8')
            const [before = ''] = source.split(
              new RegExp(`^export (?:async )?(?:function|const) ${name}\\b`, 'm'),
            )
            return !before.slice(before.lastIndexOf('/**')).includes('@example')
          }),
    )
    expect(bare).toEqual([])
  })

  test('have a docstring', () => {
    const declared = entries.flatMap(file => {
      const text = readFileSync(file, 'utf8')
      const handedOn = [...text.matchAll(/^export (?:type )?\{([^}]*)\} from '([^']+)'/gm)].flatMap(
        ([, names = '', from = '']) =>
          names
            .split(',')
            .map(name => [resolve(file, '..', from), name.trim().replace(/^type /, '')] as const),
      )
      const own = [...text.matchAll(/^export (?:function|const|interface|type|class) (\w+)/gm)].map(
        ([, name = '']) => [file, name] as const,
      )
      return [...handedOn, ...own].filter(([, name]) => name !== '')
    })
    expect(declared.length).toBeGreaterThan(90)
    const bare = declared.filter(
      ([file, name]) =>
        !new RegExp(
          `\\*/\\nexport (?:async )?(?:function|const|interface|type|class) ${name}\\b`,
        ).test(readFileSync(file, 'utf8')),
    )
    expect(bare.map(([file, name]) => `${name} in ${file}`)).toEqual([])
  })
})

describe('src/README.md', () => {
  test('names files and folders that exist', () => {
    const text = readFileSync(join(root, 'src/README.md'), 'utf8')
    const named = [
      ...text.matchAll(/`((?:core|runtime|kit|simulate|adapters|faces|test)(?:\/[\w.-]+)*)`/g),
    ].map(([, path = '']) => path)
    expect(named.length).toBeGreaterThan(15)
    expect(
      named.filter(
        path => !existsSync(join(root, path.startsWith('test/') ? path : `src/${path}`)),
      ),
    ).toEqual([])
  })
})

describe('links in the documents', () => {
  const links = pages.flatMap(page =>
    [
      ...readFileSync(join(root, page), 'utf8').matchAll(/\]\((?!https?:)([^)#]*)(?:#([^)]+))?\)/g),
    ].map(([, file = '', anchor]) => ({
      page,
      to: file === '' ? join(root, page) : join(root, page, '..', file),
      anchor,
    })),
  )

  test('send no reader to a repository, whose address package.json would have to name', () => {
    const { repository } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
    expect(repository).toBeUndefined()
    const naming = pages.filter(page =>
      /\brepository\b/i.test(readFileSync(join(root, page), 'utf8')),
    )
    expect(naming).toEqual([])
  })

  test('lead to files that exist', () => {
    expect(links.filter(({ to }) => !existsSync(to))).toEqual([])
  })

  test('lead to headings that exist', () => {
    const broken = links.filter(
      ({ to, anchor }) =>
        anchor !== undefined && !anchorsOf(readFileSync(to, 'utf8')).includes(anchor),
    )
    expect(broken).toEqual([])
  })
})

/** The anchors that GitHub makes of the headings of a page. */
function anchorsOf(text: string): readonly string[] {
  return [...text.matchAll(/^#+ (.+)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replaceAll(/[^\w\s-]/g, '')
      .replaceAll(' ', '-'),
  )
}
