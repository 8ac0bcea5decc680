/** The timers of a driver behind one sleep of the clock. */
import { expect, test } from 'vitest'
import type { Clock } from '../../src/runtime/ports.ts'
import { createTimers } from '../../src/runtime/time/timers.ts'

/** The shortest sleep of Node.js, in ms. */
const SHORTEST = 1

/** A clock whose sleeps end when the process has time for them. */
function busyClock() {
  let now = 0
  let sleeps: { readonly until: number; readonly wake: () => void }[] = []
  const sleep: Clock['sleep'] = (ms, signal) =>
    new Promise((resolve, reject) => {
      const own = { until: now + Math.max(SHORTEST, ms), wake: resolve }
      sleeps.push(own)
      signal?.addEventListener('abort', () => {
        sleeps = sleeps.filter(each => each !== own)
        reject(signal.reason)
      })
    })
  const clock: Clock = { now: () => now, sleep, during: work => work(sleep) }
  return {
    clock,
    /** Other work keeps the process busy for this time. */
    work: (ms: number) => {
      now += ms
    },
    /** The sleeps that are over end. */
    turn: async () => {
      for (const { wake } of sleeps.filter(({ until }) => until <= now)) wake()
      await Promise.resolve()
    },
  }
}

test('a late timer rings although others are set more often than the clock can sleep', async () => {
  const { clock, work, turn } = busyClock()
  const timers = createTimers(clock)
  let rang = 0
  timers.at(5, () => rang++)
  work(20)
  for (let calls = 0; calls < 100; calls++) {
    timers.at(clock.now() + 60_000, () => {})()
    work(SHORTEST / 2)
    await turn()
  }
  expect(rang).toBe(1)
})

test('timers ring in the order of their times after the clock was set forward', async () => {
  const { clock, work, turn } = busyClock()
  const timers = createTimers(clock)
  const rang: string[] = []
  timers.at(1_000, () => rang.push('first'))
  work(3_600_000)
  timers.at(clock.now() + 500, () => rang.push('third'))
  timers.at(clock.now() + 200, () => rang.push('second'))
  work(SHORTEST)
  await turn()
  expect(rang).toEqual(['first'])
  work(600)
  for (let turns = 0; turns < 3; turns++) await turn()
  expect(rang).toEqual(['first', 'second', 'third'])
})

test('a timer that rings removes another one that is due', async () => {
  const { clock, work, turn } = busyClock()
  const timers = createTimers(clock)
  let rang = 0
  const second = { remove: () => {} }
  timers.at(5, () => second.remove())
  second.remove = timers.at(6, () => rang++)
  work(20)
  await turn()
  expect(rang).toBe(0)
})

test('a removed timer does not ring, and none rings after the stop', async () => {
  const { clock, work, turn } = busyClock()
  const timers = createTimers(clock)
  let rang = 0
  timers.at(5, () => rang++)()
  timers.at(10, () => rang++)
  timers.stop()
  work(60)
  await turn()
  expect(rang).toBe(0)
})
