import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'

/** Makes new folders, which go away with the test file. */
export function newFolders(): () => string {
  const home = mkdtempSync(join(tmpdir(), 'escapement-'))
  afterAll(() => rmSync(home, { recursive: true, force: true, maxRetries: 5 }))
  return () => mkdtempSync(join(home, 'case-'))
}
