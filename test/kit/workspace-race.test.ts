/** The workspace on systems without `/proc`, where a folder becomes a link and a folder again before each look at the disk. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { existsSync, renameSync, symlinkSync, unlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { openFile, OutsideWorkspace, type Workspace, workspaceAt } from '../../src/kit/workspace.ts'
import { chance } from '../attack/chance.ts'

const disk = vi.hoisted(() => ({ before: () => {} }))

/** Calls `before` in front of each function that looks at a path, and has no `/proc`. */
function watched<T extends object>(real: T): T {
  const looks = ['lstatSync', 'statSync', 'stat', 'lstat', 'realpath', 'open', 'readlink']
  const wrapped = looks.flatMap(name => {
    const look = (real as Record<string, unknown>)[name]
    if (typeof look !== 'function') return []
    const wrap = (path: string, ...rest: unknown[]) => {
      if (path.startsWith('/proc')) return Promise.reject(new Error('no /proc'))
      disk.before()
      return look(path, ...rest)
    }
    return [[name, wrap]]
  })
  return { ...real, ...Object.fromEntries(wrapped) }
}

vi.mock('node:fs', async original => {
  const real = await original<typeof import('node:fs')>()
  const existsSync = (path: string) => !path.startsWith('/proc') && real.existsSync(path)
  return { ...watched(real), existsSync }
})
vi.mock('node:fs/promises', async original => watched(await original<object>()))

test('a folder that becomes a link and a folder again yields nothing from outside', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'escapement-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  for (const [name, text] of [['outside', 'outside'] as const, ['work/in', 'inside'] as const]) {
    await mkdir(join(folder, name), { recursive: true })
    await writeFile(join(folder, name, 'a.txt'), text)
  }
  const [place, hidden] = [join(folder, 'work/in'), join(folder, 'hidden')]
  const { next } = chance('workspace')
  const swap = () => {
    if (next() < 0.5) return
    if (existsSync(hidden)) {
      renameSync(place, join(folder, 'link'))
      renameSync(hidden, place)
    } else {
      renameSync(place, hidden)
      if (existsSync(join(folder, 'link'))) renameSync(join(folder, 'link'), place)
      else symlinkSync(join(folder, 'outside'), place)
    }
  }
  const workspace = workspaceAt(join(folder, 'work'))
  const seen: Record<string, number> = {}
  for (let at = 0; at < 300; at++) {
    disk.before = swap
    const text = await textIn(workspace, 'in/a.txt')
    seen[text] = (seen[text] ?? 0) + 1
  }
  expect(seen).not.toHaveProperty('outside')
  expect(seen.refused).toBeGreaterThan(100)
})

test('a folder above the workspace that becomes a link once yields nothing from outside', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'escapement-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const [up, old, other] = ['up', 'old', 'other'].map(name => join(folder, name)) as Folders
  for (const [name, text] of [[up, 'inside'] as const, [other, 'outside'] as const]) {
    await mkdir(join(name, 'work'), { recursive: true })
    await writeFile(join(name, 'work', 'a.txt'), text)
  }
  const seen: Record<string, number> = {}
  for (const first of [...Array(60).keys(), Number.POSITIVE_INFINITY]) {
    const workspace = workspaceAt(join(up, 'work'))
    let looks = 0
    disk.before = () => {
      if (looks++ !== first) return
      renameSync(up, old)
      symlinkSync(other, up)
    }
    const text = await textIn(workspace, 'a.txt')
    seen[text] = (seen[text] ?? 0) + 1
    if (!existsSync(old)) continue
    unlinkSync(up)
    renameSync(old, up)
  }
  expect(seen).not.toHaveProperty('outside')
  expect(seen.inside).toBe(1)
})

type Folders = [up: string, old: string, other: string]

async function textIn(workspace: Workspace, path: string): Promise<string> {
  try {
    const { handle } = await openFile(await workspace.find(path))
    disk.before = () => {}
    const text = await handle.readFile('utf8')
    await handle.close()
    return text
  } catch (error) {
    return error instanceof OutsideWorkspace ? 'refused' : `${error}`
  } finally {
    disk.before = () => {}
  }
}
