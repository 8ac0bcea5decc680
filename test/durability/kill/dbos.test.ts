/** DBOS as a host: the next process takes over the workflows of the one that died. */
import { killAtCommits } from './commits.ts'

killAtCommits([{ by: 'DBOS', on: 'Postgres' }], 2)
