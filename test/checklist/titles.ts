/** The titles in the source of a test file, and in the files of `test/` that it imports. */
import { existsSync, readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'

const IMPORT = /(?:from|import) '(\.[^']+\.ts)'/g
const TITLE = /(?:\b(?:test|it)\b(?:\.\w+)*|\))\(\s*(['"`])(.*?)\1,/gs

/** Of a file that is not there: none. */
export function titlesIn(root: string, file: string): ReadonlySet<string> {
  const titles = new Set<string>()
  const looked = new Set<string>()
  look(resolve(root, file))
  return titles

  function look(path: string): void {
    if (looked.has(path) || !path.startsWith(resolve(root, 'test')) || !existsSync(path)) return
    looked.add(path)
    const source = readFileSync(path, 'utf8')
    for (const [, , title = ''] of source.matchAll(TITLE)) titles.add(title)
    for (const [, from = ''] of source.matchAll(IMPORT)) look(resolve(dirname(path), from))
  }
}
