/** LangGraph as a host: a process also dies between a turn and its checkpoint. */
import { killAtCommits } from './commits.ts'
import { IS_SWEEP } from './deaths.ts'

killAtCommits([
  { by: 'LangGraph', on: 'SQLite' },
  ...(IS_SWEEP ? ([{ by: 'LangGraph', on: 'Postgres' }] as const) : []),
])
