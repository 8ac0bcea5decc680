/** Large files of specs: many faults, and faults with long paths, are placed with work in the length of the file. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { readSource } from '../../src/adapters/spec/source.ts'
import { newFolders } from '../durability/folders.ts'

const newFolder = newFolders()

function written(text: string): string {
  const file = join(newFolder(), 'spec.yaml')
  writeFileSync(file, text)
  return file
}

it('reports the first of many duplicate keys', async () => {
  const { faults } = await readSource(written('a:\n'.repeat(130_000)))
  expect(faults).toHaveLength(5)
  expect(faults?.[0]).toMatchObject({
    line: 2,
    column: 1,
    message: 'YAML: Map keys must be unique',
  })
})

it('places a fault whose path has many steps', async () => {
  const file = written(`z: &x\n  ? a${'.a'.repeat(20_000)}\n  : .nan\n1: *x\n`)
  let work = 0
  const has = Map.prototype.has
  const spy = vi.spyOn(Map.prototype, 'has').mockImplementation(function (
    this: Map<unknown, unknown>,
    key,
  ) {
    work += typeof key === 'string' ? key.length : 1
    return has.call(this, key)
  })
  const { faults } = await readSource(file)
  spy.mockRestore()
  expect(faults).toEqual([expect.objectContaining({ line: 4, column: 1 })])
  expect(work).toBeLessThan(1_000_000)
})

it('places faults below a long key with many entries', async () => {
  const entries = Array.from({ length: 40_000 }, (_, nth) => `  k${nth}: 1\n`).join('')
  const file = written(`? ${'a'.repeat(400_000)}\n:\n${entries}  last: .nan\n`)
  const { faults } = await readSource(file)
  expect(faults).toEqual([expect.objectContaining({ line: 40_003, column: 3 })])
})

it('finds the last existing key on a path, also below keys with dots', async () => {
  const { source } = await readSource(
    written('nodes:\n  A:\n    on:\n      done.command:\n        - B\n        - C\n'),
  )
  const placeOf = (path: string) => {
    const { line, column } = source?.place({ path, message: '' }) ?? {}
    return [line, column]
  }
  expect(placeOf('nodes.A.on.done.command[1]')).toEqual([6, 11])
  expect(placeOf('nodes.A.on.done.command[1].x')).toEqual([6, 11])
  expect(placeOf('nodes.A.on.done.other')).toEqual([3, 5])
  expect(placeOf('nodes.A')).toEqual([2, 3])
  expect(placeOf('nodes.Ab')).toEqual([1, 1])
  expect(placeOf('other')).toEqual([undefined, undefined])
})
