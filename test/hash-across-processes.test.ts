/** Hashes are stored and compared by later processes, so they may not depend on the process, its time zone or its locale. */
import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { callKey, canonical, cycleKey, hash } from '../src/core/watch/data/json.ts'

const STATE = { node: 'plan', goal: 'größer 日本', path: [1, { b: null, a: true }], at: 0.1 }
const REORDERED = { at: 0.1, path: [1, { a: true, b: null }], goal: 'größer 日本', node: 'plan' }

const SOURCE = `
import { callKey, canonical, cycleKey, hash } from ${JSON.stringify(new URL('../src/core/watch/data/json.ts', import.meta.url).href)}
const state = JSON.parse(process.argv[1])
console.log(JSON.stringify([hash(canonical(state)), callKey('search', state), cycleKey(['b', 'a'])]))`

function inProcess(state: unknown, env: Record<string, string>): unknown {
  const args = ['--input-type=module', '-e', SOURCE, JSON.stringify(state)]
  const out = execFileSync(process.execPath, args, { env: { ...process.env, ...env } })
  return JSON.parse(out.toString('utf8'))
}

test('hashes of states, calls and cycles are equal in two processes and in this one, in any order of keys', () => {
  const here = [hash(canonical(STATE)), callKey('search', STATE), cycleKey(['b', 'a'])]
  const one = inProcess(STATE, { TZ: 'UTC', LANG: 'C' })
  const other = inProcess(REORDERED, { TZ: 'Asia/Tokyo', LANG: 'tr_TR.UTF-8' })
  expect([one, other]).toEqual([here, here])
})

test('a stored hash stays the same from release to release', () => {
  expect([hash(''), hash('plan'), callKey('search', { q: 'x' })]).toEqual([
    'wvjl67o803',
    '4bwxnk86k4',
    '20jn5imt0fp',
  ])
})
