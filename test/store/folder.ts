import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'

/** Names for new files, in a folder that goes away with the test file. */
export function newFiles(): () => string {
  const folder = mkdtempSync(join(tmpdir(), 'escapement-'))
  let made = 0
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  return () => {
    made += 1
    return join(folder, `store-${made}.db`)
  }
}
