/** Paths through a file or a link loop, and files that the system cannot read: the message names the path, and the exit code is 2. */
import { readdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { type Desk, expectRefused, GOOD, newDesks } from './desk.ts'

const newDesk = newDesks()

/** `file` is a file, and `loop` is a link to itself. */
function deskWithPaths(): Desk {
  const desk = newDesk()
  desk.file('file', '{"id":"t","events":[]}\n')
  symlinkSync('loop', join(desk.folder, 'loop'))
  return desk
}

it.each([
  [['watch', 'file/x'], 'file/x: cannot be read: ENOTDIR: not a directory'],
  [['watch', 'loop'], 'loop: cannot be read: ELOOP: '],
  [['watch', 'loop/x'], 'loop/x: cannot be read: ELOOP: '],
  [['watch', '/proc/self/mem'], '/proc/self/mem: cannot be read: EIO: i/o error'],
  [['import', 'file/x'], 'file/x: cannot be read: ENOTDIR: not a directory'],
  [['import', 'loop/x'], 'loop/x: cannot be read: ELOOP: '],
  [['import', '/proc/self/mem'], '/proc/self/mem: cannot be read: EIO: i/o error'],
])('%j', async (args, expected) => {
  const refused = await deskWithPaths().type(...args)
  expectRefused(refused, expected)
  expect(refused.err.split('\n').slice(1).join('')).toBe('')
})

it('of the report are named if they cannot be read', async () => {
  const refused = await deskWithPaths().type('report', '/proc/self/mem', '--out', 'r.html')
  // The page is built for the package; without it, the command ends before it reads.
  if (refused.err.includes('the page of the report is not built')) return
  expectRefused(refused, '/proc/self/mem: cannot be read: EIO: i/o error')
})

it.each([
  ['file/x.gz', 'ENOTDIR'],
  ['loop/x.gz', 'ELOOP'],
  ['loop', 'ELOOP'],
])('an output at %s is refused with its own name', async (out, code) => {
  const desk = deskWithPaths()
  await desk.type('run', desk.file('spec.yaml', GOOD), '--thread', 't')
  const before = readdirSync(desk.folder)
  for (const args of [
    ['export', 't'],
    ['watch', 'file'],
  ]) {
    const refused = await desk.type(...args, '--out', out)
    expectRefused(refused, `error: ${out}: cannot be written (${code})`)
    expect(refused.err).not.toContain('.part')
  }
  expect(readdirSync(desk.folder)).toEqual(before)
})
