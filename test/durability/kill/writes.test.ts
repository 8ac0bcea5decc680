/** Kills inside a write that must not be repeated: a person says whether it was applied. */
import { describe, expect, it } from 'vitest'
import { externalSystemIn } from '../external-system.ts'
import type { Spot } from '../faults.ts'
import { expectResumed, journalStateOf } from '../journal-state.ts'
import { escapement } from '../process.ts'
import { newFolder, travelled, whole } from './deaths.ts'

/** Kills during a non-idempotent write: before it takes effect, or after it but before its answer. */
const DOUBTFUL: readonly Spot[] = ['charge', 'ship', 'carry'].flatMap(
  tool =>
    [
      { side: 'after', callOf: tool },
      { side: 'before', answerOf: tool },
    ] as const,
)

describe('a process that is killed', { timeout: 300_000 }, () => {
  it('inside a non-repeatable write asks whether it was applied, and continues after the answer', async () => {
    const next = DOUBTFUL.values()
    const lane = async () => {
      for (const spot of next) await answeredByHand(spot)
    }
    await Promise.all([lane(), lane()])
  })
})

async function answeredByHand(spot: Spot): Promise<void> {
  const how = JSON.stringify(spot)
  const folder = newFolder()
  await travelled([{ folder, asked: 'person', spot }], undefined)
  const left = await journalStateOf(folder)
  expect(left.doubtful.length, how).toBeGreaterThan(0)
  const resume = async (thread: string, ...answer: readonly string[]) => {
    const said = await escapement(
      ['resume', thread, ...answer, '--store', `${folder}/threads.db`, '--json'],
      { env: { WORLD: folder } },
    )
    // The answer to a child prints how its parent continued.
    expect(said.err, how).toMatch(thread === 'order' ? /^$/ : /^(parent order: .*\n)?$/)
    return {
      code: said.code,
      ...(JSON.parse(said.out) as { questions: { id: string; question: string }[] }),
    }
  }
  await resume('order')
  for (const { thread, call } of left.doubtful) {
    expect(await resume(thread), how).toMatchObject({
      code: 3,
      questions: [
        {
          id: `${call}?`,
          question: expect.stringMatching(/^The outcome of a call of \w+ is unknown/),
        },
      ],
    })
    const found = externalSystemIn(folder).find(`${thread}/${call}`)
    await resume(
      thread,
      '--decision',
      ...(found ? ['applied', '--output', JSON.stringify(found.result)] : ['not-applied']),
    )
  }
  expect(await resume('order'), how).toMatchObject({ code: 3, questions: [{ id: 'review#1' }] })
  expect(await resume('order', '--decision', 'approved', '--to', 'home'), how).toMatchObject({
    code: 0,
  })
  await expectResumed(left, whole, how)
}
