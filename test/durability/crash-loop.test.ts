/** Work that kills its process each time ends as a failure and does not repeat endlessly. */
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { explain } from '../../src/core/watch/reason/reason.ts'
import type { Finding } from '../../src/core/watch/event/event.ts'
import type { Spot } from './faults.ts'
import { newFolders } from './folders.ts'
import { escapement, here, start } from './process.ts'
import { journalsIn } from './journal-state.ts'
import type { Journey } from './traveller.ts'
import { externalSystemIn } from './external-system.ts'

const newFolder = newFolders()

/** Runs a spec in one process after the other until one of them lives to tell how it ended. */
async function runUntilItEnds(spec: string, ...settings: readonly string[]) {
  const folder = newFolder()
  const args = [
    'run',
    here(`fixture/${spec}`),
    '--thread',
    't',
    '--store',
    join(folder, 'threads.db'),
    '--json',
    ...settings,
  ]
  for (let deaths = 0; deaths < 6; deaths++) {
    const said = await escapement(args, { env: { WORLD: folder } })
    if (said.signal !== 'SIGKILL')
      return {
        deaths,
        code: said.code,
        err: said.err,
        world: externalSystemIn(folder),
        report: JSON.parse(said.out) as Record<string, unknown>,
      }
  }
  throw new Error('it went on and on')
}

describe('a crash loop', () => {
  it('of a node ends in the third process with the reason', async () => {
    const { deaths, code, err, report } = await runUntilItEnds('dying-node.yaml')
    expect({ deaths, code, err }).toEqual({ deaths: 2, code: 4, err: '' })
    expect(report).toMatchObject({
      outcome: 'stopped',
      reason: 'failure.crash-loop',
      spent: { steps: 1 },
    })
    const [escape] = report.escapes as readonly { readonly because: readonly Finding[] }[]
    expect(escape?.because.map(({ reason }) => explain(reason))).toEqual([
      "node 'work' failed: the process crashed in each of 2 attempts before it returned anything",
    ])
  })

  it('of a repeatable call takes the edge error.persistent', async () => {
    const { deaths, code, report, world } = await runUntilItEnds('dying.yaml')
    expect({ deaths, code, outcome: report.outcome }).toEqual({
      deaths: 2,
      code: 1,
      outcome: 'failure',
    })
    expect(world.visits().map(({ attempt }) => attempt)).toEqual([1, 1])
  })

  it('of a non-repeatable call ends after its attempts, even if the tool reports it as not applied', async () => {
    const { deaths, code, report, world } = await runUntilItEnds(
      'dying.yaml',
      '--set',
      'tools.deadly.effects=write',
    )
    expect({ deaths, code, outcome: report.outcome }).toEqual({
      deaths: 3,
      code: 1,
      outcome: 'failure',
    })
    expect(world.visits().map(({ attempt }) => attempt)).toEqual([1, 2, 3])
  })

  it('around a write with an unknown result asks a person and continues with the answer', async () => {
    const folder = newFolder()
    const die = async (spot: Spot) => {
      const { signal } = await start([
        here('traveller.ts'),
        JSON.stringify([{ folder, asked: 'person', spot } satisfies Journey]),
      ]).ended
      expect(signal).toBe('SIGKILL')
    }
    // Once the charge has happened and is not stored yet, then as soon as the next process has begun with it.
    await die({ side: 'before', answerOf: 'charge' })
    expect(externalSystemIn(folder).ledger().at(-1)).toMatchObject({ tool: 'charge' })
    await die({ side: 'after', commit: 2 })
    const { code, out } = await escapement(
      ['resume', 'order', '--store', join(folder, 'threads.db'), '--json'],
      { env: { WORLD: folder } },
    )
    expect({ code, ...(JSON.parse(out) as object) }).toMatchObject({
      code: 3,
      questions: [{ id: 'pay#1/1?' }],
    })
    expect(
      (
        await start([
          here('traveller.ts'),
          JSON.stringify([{ folder, asked: 'person' } satisfies Journey]),
        ]).ended
      ).out,
    ).toContain('arrived')
    expect(
      externalSystemIn(folder)
        .ledger()
        .filter(({ tool }) => tool === 'charge'),
    ).toHaveLength(1)
    expect(((await journalsIn(folder)).get('order') ?? []).at(-1)?.ended).toMatchObject({
      outcome: 'success',
    })
  })
})
