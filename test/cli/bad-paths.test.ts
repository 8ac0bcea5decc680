/** Paths through a file or a link loop, and files that the system cannot read: the message names the path, and the exit code is 2. */
import { chmodSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { escapementIn } from '../durability/process.ts'
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

/** Root may read every folder. */
const UNPRIVILEGED =
  process.getuid?.() === 0
    ? 'exec setpriv --reuid=65534 --regid=65534 --clear-groups "$0" "$@";'
    : ''

it.each([
  [['serve', '--graphs', 'closed'], /--graphs: .*closed cannot be read: EACCES: permission denied/],
  [
    ['worker', '--graphs', 'closed', '--postgres', 'postgres://a@127.0.0.1:1/x'],
    /--graphs: .*closed cannot be read: EACCES: permission denied/,
  ],
  [['threads', '--stale', 'closed'], /--stale: .*closed cannot be read: EACCES: permission denied/],
  [['init', 'closed'], /closed\/\S+ cannot be written: EACCES: .*; nothing was written/],
])('%j refuses a folder without permission', async (args, expected) => {
  const desk = newDesk()
  chmodSync(dirname(desk.folder), 0o755)
  chmodSync(desk.folder, 0o755)
  mkdirSync(join(desk.folder, 'closed'), { mode: 0 })
  expectRefused(await escapementIn(UNPRIVILEGED, args, { cwd: desk.folder }), expected)
})

it.each([
  [['lint', '../spec.yaml']],
  [['run', '../spec.yaml', '--store', '../threads.db']],
  [['draw', './graph.ts#graph']],
  [['init', 'agent']],
  [['threads']],
])('%j refuses a current folder that was deleted', async args => {
  const desk = newDesk()
  desk.file('spec.yaml', GOOD)
  const said = await escapementIn(DELETED, args, { cwd: desk.folder })
  expectRefused(
    said,
    /the current folder does not exist; expected a command in a folder that exists/,
  )
})

it('the help needs no current folder', async () => {
  const { folder } = newDesk()
  const said = await escapementIn(DELETED, ['--help'], { cwd: folder })
  expect(said).toMatchObject({ code: 0, err: '', out: expect.stringContaining('Exit codes:') })
})

const DELETED = 'mkdir gone && cd gone && rmdir ../gone;'
