/** docs/reference/errors.md lists every error class that an entry point exports, with its code and guard. */
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'

const root = resolve(import.meta.dirname, '../..')

interface ErrorRow {
  readonly name: string
  readonly code: string
  readonly guard: string
}

const byName = (a: ErrorRow, b: ErrorRow) => a.name.localeCompare(b.name)

test('docs/reference/errors.md lists each exported error class with its code and guard', async () => {
  const page = readFileSync(join(root, 'docs/reference/errors.md'), 'utf8')
  const listed = [...page.matchAll(/^\| `(\w+)` \| `?([\w–-]+)`? \| `?([\w–]+)`? \|/gm)].map(
    ([, name = '', code = '', guard = '']) => ({ name, code, guard }),
  )
  const exported = await exportedErrors()
  // The code of a `ServiceError` is that of the response.
  const isNamed = ({ name, code, guard }: ErrorRow) =>
    guard !== '–' && (code !== '–' || name === 'ServiceError')
  expect(exported.filter(each => !isNamed(each))).toEqual([])
  expect(listed.sort(byName)).toEqual(exported.sort(byName))
})

async function exportedErrors(): Promise<ErrorRow[]> {
  const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    exports: Record<string, string | { default: string }>
  }
  const found = new Map<string, ErrorRow>()
  for (const entry of Object.values(exports)) {
    // The matchers register themselves with vitest and export no names.
    if (typeof entry === 'string' || entry.default.endsWith('vitest.js')) continue
    const file = entry.default.replace('./dist/', 'src/').replace(/\.js$/, '.ts')
    const names = (await import(join(root, file))) as Record<string, unknown>
    for (const [name, value] of Object.entries(names))
      if (typeof value === 'function' && value.prototype instanceof Error)
        found.set(name, {
          name,
          code: codeIn(value) ?? '–',
          guard: `is${name}` in names ? `is${name}` : '–',
        })
  }
  return [...found.values()]
}

/** Reads the code from the source of the class, because an instance would need arguments. */
function codeIn(errorClass: object): string | undefined {
  const source = String(errorClass)
  const inherited = /codedError\)?\(["']\w+["'], ["']([^"']+)["']/.exec(source)
  return (inherited ?? /\bcode"?(?: =|,) ["']([^"']+)["']/.exec(source))?.[1]
}
