import { defineConfig } from 'vitest/config'
import { COMPILE_CACHE } from './test/compile-cache.ts'
import { LongestFirst } from './test/longest-first.ts'

// For the workers, and what they start.
process.env.NODE_COMPILE_CACHE ??= COMPILE_CACHE

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    reporters: ['default', './test/checklist/kept.ts', './test/closing-line.ts'],
    setupFiles: ['test/drawn.ts'],
    globalSetup: [
      'test/fixture/postgres-setup.ts',
      'test/inspector/build-page.ts',
      'test/inspector/browser.ts',
    ],
    testTimeout: 60_000,
    // As long as a loaded machine needs: the default of a second is too short for a page.
    expect: { poll: { timeout: 30_000 } },
    // Children, files and SQLite: processes of their own keep the suites apart.
    pool: 'forks',
    maxWorkers: 2,
    sequence: { sequencer: LongestFirst },
  },
})
