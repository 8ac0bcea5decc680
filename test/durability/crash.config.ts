/** `npm run test:crash`: processes are killed at every commit of each host to SQLite and to Postgres, and at 200 random moments. */
import { mergeConfig } from 'vitest/config'
import base from '../../vitest.config.ts'

export default mergeConfig(base, {
  test: {
    env: { CRASH_SWEEP: '1' },
    reporters: ['verbose'],
    // Each file has two processes at work.
    maxWorkers: 1,
  },
})
