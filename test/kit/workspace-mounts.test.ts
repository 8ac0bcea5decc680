/** The workspace beside a process with mounts of its own: the system names a file there as if it were in the workspace. */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openFile, OutsideWorkspace, workspaceAt } from '../../src/kit/workspace.ts'

/** A process that sees `source` at `target`. `undefined` where the system allows no such process. */
async function mounting(source: string, target: string) {
  const script = 'mount --bind "$0" "$1" && echo ready && exec sleep 60'
  const child = spawn('unshare', ['-Urm', 'sh', '-c', script, source, target], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const ready = once(child.stdout, 'data').then(() => true)
  const ended = Promise.race([once(child, 'exit'), once(child, 'error')])
  return (await Promise.race([ready, ended.then(() => false)])) ? child : undefined
}

test('a folder that becomes a link into the mounts of another process yields nothing from outside', async ({
  skip,
}) => {
  const folder = await mkdtemp(join(tmpdir(), 'escapement-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const [work, outside] = [join(folder, 'work'), join(folder, 'outside')]
  for (const at of [join(work, 'a'), join(work, 'deep'), outside]) {
    await mkdir(at, { recursive: true })
    await writeFile(join(at, 'a.txt'), at)
  }
  const child = await mounting(outside, join(work, 'deep'))
  skip(child === undefined, 'this system allows no process with mounts of its own')
  const place = await workspaceAt(work).find('a/a.txt')
  const { handle } = await openFile(place)
  expect(await handle.readFile('utf8')).toBe(join(work, 'a'))
  await handle.close()
  await rename(join(work, 'a'), join(work, 'b'))
  await symlink(`/proc/${child?.pid}/root${join(work, 'deep')}`, join(work, 'a'))
  await expect(openFile(place)).rejects.toThrow(OutsideWorkspace)
})

test('a link into the mounts of another process does not tell what exists there', async ({
  skip,
}) => {
  const folder = await mkdtemp(join(tmpdir(), 'escapement-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const [work, outside] = [join(folder, 'work'), join(folder, 'outside')]
  await mkdir(join(outside, 'link', 'deep', 'in'), { recursive: true })
  await mkdir(work)
  const child = await mounting(outside, work)
  skip(child === undefined, 'this system allows no process with mounts of its own')
  await symlink(`/proc/${child?.pid}/root${join(work, 'link')}`, join(work, 'link'))
  const room = workspaceAt(work)
  for (const name of ['link', 'link/none', 'link/deep', 'link/deep/in', 'link/deep/none'])
    await expect(room.find(name)).rejects.toThrow(`'${name}' is a link that leads out`)
})

test('the name of a mount is not the number of another one', async ({ skip }) => {
  const folder = await mkdtemp(join(tmpdir(), 'escapement-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const at = join(folder, 'x\r424242')
  await mkdir(at)
  const script = `import { ownMounts } from ${JSON.stringify(import.meta.resolve('../../src/kit/look-up.ts'))}
console.log(ownMounts().size > 1, ownMounts().has('424242'))`
  const child = spawnSync(
    'unshare',
    [
      ...['-Urm', 'sh', '-c', 'mount --bind "$0" "$0" && exec "$1" --input-type=module -e "$2"'],
      ...[at, process.execPath, script],
    ],
    { encoding: 'utf8' },
  )
  skip(child.stdout === '', 'this system allows no process with mounts of its own')
  expect(child.stdout).toBe('true false\n')
})
