/** `drive`: a process dies before or after each stored state. A sweep has both, on SQLite and on Postgres. */
import { killAtCommits } from './commits.ts'
import { IS_SWEEP } from './deaths.ts'

killAtCommits([
  { by: 'drive', on: 'SQLite' },
  ...(IS_SWEEP ? ([{ by: 'drive', on: 'Postgres' }] as const) : []),
])
