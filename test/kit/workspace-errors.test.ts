/** The errors of the workspace while a folder and a link that leads out take each other's name: they do not tell what exists outside. */
import { existsSync, mkdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { openFile, OutsideWorkspace, workspaceAt } from '../../src/kit/workspace.ts'

type Look = (path: string, ...rest: unknown[]) => Promise<unknown>

const system = vi.hoisted(() => ({ exchanged: '', exchange: () => {} }))

/** During the named function, the folder and the link have each other's name. */
vi.mock('node:fs/promises', async original => {
  const real = await original<Record<string, Look>>()
  const around = (name: string): Look => {
    const look = real[name] as Look
    return async (path, ...rest) => {
      if (system.exchanged !== name || path.startsWith('/proc/')) return look(path, ...rest)
      system.exchange()
      return look(path, ...rest).finally(system.exchange)
    }
  }
  return { ...real, realpath: around('realpath'), open: around('open') }
})

async function workspace() {
  const folder = await mkdtemp(join(tmpdir(), 'escapement-'))
  onTestFinished(() => {
    system.exchanged = ''
    return rm(folder, { recursive: true, force: true })
  })
  const at = (...names: string[]) => join(folder, ...names)
  for (const name of ['outside', 'work/folder']) mkdirSync(at(name), { recursive: true })
  for (const name of ['outside/both', 'work/folder/both', 'work/folder/inside'])
    writeFileSync(at(name), name)
  symlinkSync(at('outside'), at('work/link'))
  system.exchange = () => {
    renameSync(at('work/folder'), at('third'))
    renameSync(at('work/link'), at('work/folder'))
    renameSync(at('third'), at('work/link'))
  }
  return workspaceAt(at('work'))
}

const codeOf = (error: unknown) =>
  error instanceof OutsideWorkspace ? 'outside' : (error as { code?: string }).code

describe.skipIf(!existsSync('/proc/self/fd'))('a folder that is exchanged with a link', () => {
  test.each(['both', 'inside', 'none'])('while the path of %s is resolved', async name => {
    const { find } = await workspace()
    system.exchanged = 'realpath'
    const error = await find(`folder/${name}`).catch(codeOf)
    expect(error).toBe(name === 'none' ? 'ENOENT' : 'outside')
  })

  test.each(['both', 'inside'])('while %s is opened', async name => {
    const { find } = await workspace()
    const place = await find(`folder/${name}`)
    system.exchanged = 'open'
    const text = await openFile(place)
      .then(({ handle }) => handle.readFile('utf8').finally(() => handle.close()))
      .catch(codeOf)
    expect(text).toBe(name === 'both' ? 'outside' : 'work/folder/inside')
  })
})
