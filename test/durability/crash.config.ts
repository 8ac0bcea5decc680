/** `npm run test:crash`: a process is killed at every commit to SQLite and to Postgres. */
import { mergeConfig } from 'vitest/config'
import base from '../../vitest.config.ts'

export default mergeConfig(base, {
  test: {
    env: { CRASH_SWEEP: '1' },
    reporters: ['verbose'],
    testNamePattern: 'any of its commits',
  },
})
