/** The workspace where the system names open files, and the name of one cannot be read: its path has become too long, or no descriptor is left. */
import { existsSync, mkdirSync, readdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { openFile, OutsideWorkspace, readFolder, workspaceAt } from '../../src/kit/workspace.ts'

const system = vi.hoisted(() => ({ before: (_: string) => {}, after: () => {} }))

/** Calls `before` and `after` around each look at `/proc`. */
vi.mock('node:fs/promises', async original => {
  const real = await original<Record<'readlink', (path: string) => Promise<unknown>>>()
  const around = (look: (path: string) => Promise<unknown>) => {
    return async (path: string, ...rest: []) => {
      if (!path.startsWith('/proc/')) return look(path, ...rest)
      system.before(path)
      return look(path, ...rest).finally(system.after)
    }
  }
  return { ...real, readlink: around(real.readlink) }
})

vi.mock('node:fs', async original => {
  const real = await original<Record<'readFileSync', (path: string) => unknown>>()
  return {
    ...real,
    readFileSync(path: string, ...rest: []) {
      if (!`${path}`.startsWith('/proc/')) return real.readFileSync(path, ...rest)
      system.before(path)
      try {
        return real.readFileSync(path, ...rest)
      } finally {
        system.after()
      }
    },
  }
})

async function folders() {
  const folder = await mkdtemp(join(tmpdir(), 'escapement-'))
  onTestFinished(() => {
    Object.assign(system, { before: () => {}, after: () => {} })
    return rm(folder, { recursive: true, force: true })
  })
  const [work, outside] = [join(folder, 'work'), join(folder, 'outside')]
  for (const [at, name] of [[work, 'inside.txt'] as const, [outside, 'outside.txt'] as const]) {
    mkdirSync(join(at, DEEP), { recursive: true })
    writeFileSync(join(at, DEEP, name), name)
  }
  return { work, outside }
}

/** Two of them are longer than any path that the system names. */
const DEEP = Array.from({ length: 11 }, () => 'a'.repeat(200)).join('/')

describe.skipIf(!existsSync('/proc/self/fd'))('an open folder or file', () => {
  test('below a path that is too long is not looked for by its path', async () => {
    const { work, outside } = await folders()
    const [moved, below] = [join(work, 'moved'), join(work, 'below', DEEP)]
    mkdirSync(below, { recursive: true })
    renameSync(join(work, 'a'.repeat(200)), moved)
    const inner = DEEP.slice(201)
    system.before = () => renameSync(moved, join(below, 'moved'))
    system.after = () => renameSync(join(below, 'moved'), moved)
    const place = await workspaceAt(work).find(`moved/${inner}`)
    const listing = readFolder(place, async path => {
      renameSync(moved, join(work, 'hidden'))
      symlinkSync(join(outside, 'a'.repeat(200)), moved)
      return readdirSync(path)
    })
    await expect(listing).rejects.toThrow(OutsideWorkspace)
  })

  test('of an unknown mount is refused', async () => {
    const { work } = await folders()
    const place = await workspaceAt(work).find(`${DEEP}/inside.txt`)
    await openFile(place).then(({ handle }) => handle.close())
    system.before = path => {
      if (path.includes('fdinfo')) throw Object.assign(new Error('too many'), { code: 'EMFILE' })
    }
    await expect(openFile(place)).rejects.toThrow('cannot be read: EMFILE')
  })
})
