/** The workspace while a folder and a link that leads out exchange their names: what it answers does not depend on what exists outside. */
import { existsSync, mkdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { openFile, OutsideWorkspace, readFolder, workspaceAt } from '../../src/kit/workspace.ts'
import { chance } from '../attack/chance.ts'

type Look = (path: string, ...rest: unknown[]) => Promise<unknown>

const disk = vi.hoisted(() => ({ before: () => {} }))

/** Calls `before` in front of each look at the disk. */
vi.mock('node:fs/promises', async original => {
  const real = await original<Record<string, Look>>()
  const watched = (name: string): readonly [string, Look] => {
    const look = real[name] as Look
    return [
      name,
      (path, ...rest) => {
        disk.before()
        return look(path, ...rest)
      },
    ]
  }
  const looks = ['realpath', 'open', 'lstat', 'stat', 'readlink', 'readFile'].map(watched)
  return { ...real, ...Object.fromEntries(looks) }
})

async function workspace() {
  const folder = await mkdtemp(join(tmpdir(), 'escapement-'))
  onTestFinished(() => {
    disk.before = () => {}
    return rm(folder, { recursive: true, force: true })
  })
  const at = (...names: string[]) => join(folder, ...names)
  for (const name of ['outside', 'work/folder']) mkdirSync(at(name), { recursive: true })
  for (const name of ['outside/both', 'outside/out', 'work/folder/both', 'work/folder/in'])
    writeFileSync(at(name), name.split('/')[0] ?? '')
  for (const name of ['outside/both.d', 'outside/out.d', 'work/folder/both.d', 'work/folder/in.d'])
    mkdirSync(at(name))
  symlinkSync(at('outside'), at('work/link'))
  const exchange = () => {
    renameSync(at('work/folder'), at('third'))
    renameSync(at('work/link'), at('work/folder'))
    renameSync(at('third'), at('work/link'))
  }
  return { workspace: workspaceAt(at('work')), exchange, at }
}

const codeOf = (error: unknown) => (error instanceof OutsideWorkspace ? error.message : `${error}`)

/** What 300 calls answer, with the same exchanges for each name. */
async function answersTo(name: string) {
  const { workspace: at, exchange } = await workspace()
  const { next } = chance('exchange')
  const answers: string[] = []
  for (let call = 0; call < 300; call++) {
    disk.before = () => {
      if (next() < 0.3) exchange()
    }
    const answer = await at
      .find(`folder/${name}`)
      .then(async place => {
        if (name.endsWith('.d')) return readFolder(place, async () => 'a folder')
        const { handle } = await openFile(place)
        return handle.readFile('utf8').finally(() => handle.close())
      })
      .catch(error => codeOf(error).replace(`folder/${name}'`, "NAME'"))
    disk.before = () => {}
    answers.push(answer)
  }
  return answers
}

describe.skipIf(!existsSync('/proc/self/fd'))('a folder that is exchanged with a link', () => {
  test.each([
    ['both', 'in'],
    ['out', 'none'],
    ['both.d', 'in.d'],
    ['out.d', 'none.d'],
  ])('does not show that %s exists outside, and %s does not', async (outside, other) => {
    const answers = await answersTo(outside)
    expect(answers).toEqual(await answersTo(other))
    expect(answers).not.toContain('outside')
    expect(new Set(answers).size).toBeGreaterThan(1)
  })
})

test.skipIf(!existsSync('/proc/self/fd')).each(['both', 'both.d', 'none'])(
  'a link in the place of a folder above does not show whether it contains a %s of the name of the workspace',
  async outside => {
    const { at } = await workspace()
    mkdirSync(at('above', 'room'), { recursive: true })
    const room = workspaceAt(at('above', 'room'))
    writeFileSync(at('above', 'room', 'file'), 'inside')
    const place = await room.find('file')
    renameSync(at('above'), at('old'))
    symlinkSync('outside', at('above'))
    if (outside !== 'none') renameSync(at('outside', outside), at('outside', 'room'))
    const moved = 'is in a workspace whose folder was moved, removed or replaced'
    for (const name of ['file', 'none', '.'])
      await expect(room.find(name)).rejects.toThrow(`'${name}' ${moved}`)
    await expect(openFile(place)).rejects.toThrow(`'file' ${moved}`)
  },
)

test('a file that appears while it is looked for is found or missing', async () => {
  const { workspace: at } = await workspace()
  const folder = (await at.find('folder')).real
  for (const after of [1, 2, 3, 4, 5, 6]) {
    let looks = 0
    disk.before = () => {
      if (++looks === after) writeFileSync(join(folder, `new-${after}`), 'new')
    }
    const found = await at.find(`folder/new-${after}`).catch(codeOf)
    disk.before = () => {}
    expect(typeof found === 'string' ? found : 'found').toMatch(/^found$|does not exist/)
  }
})
