/** Work that kills its process every time it is taken up ends like any other failure, and does not go on for ever. */
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { newFolders } from './folders.ts'
import { escapement, here } from './process.ts'
import { worldIn } from './world.ts'

const newFolder = newFolders()

/** Runs a spec in one process after the other until one of them lives to tell how it ended. */
async function runUntilItEnds(spec: string, ...settings: readonly string[]) {
  const folder = newFolder()
  const args = ['run', here(`fixture/${spec}`), '--thread', 't', '--store', join(folder, 'threads.db'), '--json', ...settings]
  for (let deaths = 0; deaths < 6; deaths++) {
    const said = await escapement(args, { env: { WORLD: folder } })
    if (said.signal !== 'SIGKILL') return { deaths, code: said.code, err: said.err, world: worldIn(folder), report: JSON.parse(said.out) as Record<string, unknown> }
  }
  throw new Error('it went on and on')
}

describe('a crash loop', () => {
  it('of a node ends in the third process, which says why', async () => {
    const { deaths, code, err, report } = await runUntilItEnds('dying-node.yaml')
    expect({ deaths, code, err }).toEqual({ deaths: 2, code: 4, err: '' })
    expect(report).toMatchObject({ outcome: 'stopped', reason: 'failure.persistent', spent: { steps: 1 } })
    expect(JSON.stringify(report.escapes)).toContain('work failed: was started 3 times, and each time the process died')
  })

  it('of a call that may be repeated leaves by the edge error.persistent', async () => {
    const { deaths, code, report, world } = await runUntilItEnds('dying.yaml')
    expect({ deaths, code, outcome: report.outcome }).toEqual({ deaths: 2, code: 1, outcome: 'failure' })
    expect(world.visits().map(({ attempt }) => attempt)).toEqual([1, 1])
  })

  it('of a call that must not be repeated ends with its attempts, however often the tool says that it has not happened', async () => {
    const { deaths, code, report, world } = await runUntilItEnds('dying.yaml', '--set', 'tools.deadly.effects=write')
    expect({ deaths, code, outcome: report.outcome }).toEqual({ deaths: 3, code: 1, outcome: 'failure' })
    expect(world.visits().map(({ attempt }) => attempt)).toEqual([1, 2, 3])
  })
})
