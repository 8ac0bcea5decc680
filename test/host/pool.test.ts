/** Worker threads of simulations: a run that never ends is named. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runTrials } from '../../src/host/simulation/pool.ts'
import { newFolders } from '../durability/folders.ts'

const newFolder = newFolders()

function scenarioWith(system: string): string {
  const folder = newFolder()
  const file = join(folder, 'a.scenario.yaml')
  writeFileSync(join(folder, 'system.mjs'), system)
  writeFileSync(
    join(folder, 'graph.yaml'),
    `escapement: 1
id: trial
start: A
nodes:
  A: { use: tool, tool: search, args: {}, on: { done: E } }
  E: { final: success }
tools: { search: { use: flaky, with: { p: 0 } } }
`,
  )
  writeFileSync(file, 'scenario: 1\nname: a\ngraph: ./graph.yaml\nsystem: ./system.mjs#shop\n')
  return file
}

const trials = [{ policy: 'default', seed: 7 }]

test('a fake system with a loop without an end is stopped, and its seed is named', async () => {
  const file = scenarioWith(
    'export const shop = () => ({ tools: { search: () => { for (;;) {} } } })',
  )
  const running = runTrials(trials, { file, onRun: () => {}, hungAfter: 3_000 })
  await expect(running).rejects.toThrow(
    'no run ended within 3 s of real time; in progress: policy default, seed 7. Look for a loop without an end in the fake system',
  )
})

test('aborting the signal ends the workers', async () => {
  const file = scenarioWith('export const shop = () => ({})')
  const cancel = new AbortController()
  const many = Array.from({ length: 2_000 }, (_, seed) => ({ policy: 'default', seed }))
  let done = 0
  const onRun = () => {
    if (++done === 5) cancel.abort(new Error('interrupted by the user'))
  }
  await expect(runTrials(many, { file, onRun, signal: cancel.signal })).rejects.toThrow(
    'interrupted by the user',
  )
  expect(done).toBeLessThan(2_000)
})
