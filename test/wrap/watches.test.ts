/** The watches of a wrapped agent: one for each conversation, a bounded number of them. */
import { expect, test } from 'vitest'
import { watchesOf } from '../../src/core/watch/wrapped/watchdog.ts'

test('a thousand conversations have a watch, and the oldest one is forgotten', () => {
  let next = 0
  const watches = watchesOf(
    {},
    () => `${++next}`,
    watchdog => ({ watchdog }),
  )
  for (let index = 0; index <= 1_000; index++) watches.open(`t${index}`)
  expect([watches.find('t0'), watches.find('t1')]).toEqual([
    undefined,
    expect.objectContaining({ watchdog: expect.anything() }),
  ])
})
