/** XState as a host: a process also dies between a commit and the snapshot that its program keeps. */
import { killAtCommits } from './commits.ts'
import { IS_SWEEP } from './deaths.ts'

killAtCommits([
  { by: 'XState', on: 'SQLite' },
  ...(IS_SWEEP ? ([{ by: 'XState', on: 'Postgres' }] as const) : []),
])
