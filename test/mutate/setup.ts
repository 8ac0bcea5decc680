/** Reports the current test to the switches; child processes inherit it. */
import process from 'node:process'
import { afterEach, beforeEach } from 'vitest'

beforeEach(({ task }) => {
  process.env.MUTANT_TEST = task.fullTestName
})
afterEach(() => {
  delete process.env.MUTANT_TEST
})
