/** The commands that print threads, and what they share. */
import { ENDINGS } from '../../core/run/run.ts'
import type { ThreadStatus } from '../../core/run/view.ts'
import { FINDING_KINDS } from '../../core/watch/event/event.ts'
import { type Action, type Add, choice } from './add-command.ts'
import { parseUsd } from './app/app.ts'

const STATUSES: readonly ThreadStatus[] = ['active', 'waiting', 'ended']
const FINDINGS = ['any', ...FINDING_KINDS]

export function inspectCommands(on: Add, action: Action): void {
  const thread = 'print the state, the events and the escapes of a thread'
  on('show <thread>', thread, 'show news --at 32')
    .option('--at <seq>', 'the state after this event')
    .option('--follow', 'print new events until the thread ends')
    .option('--rejudge', "what today's policy and detectors would decide")
    .action(action(async () => (await import('./commands/show.ts')).show))
  on('effects <thread>', 'list the external effects of a thread', 'effects news').action(
    action(async () => (await import('./commands/show.ts')).effects),
  )
  on('threads', 'list the threads of a store', 'threads --finding loop --min-usd 0.5')
    .option('--graph <id>', 'only threads of this graph')
    .option('--prefix <text>', 'only threads whose names begin with this text')
    .addOption(choice('--status <status>', 'only threads of this status', STATUSES))
    .addOption(choice('--outcome <outcome>', 'only threads that ended with this outcome', ENDINGS))
    .addOption(choice('--finding <kind>', 'only threads with this finding', FINDINGS))
    .option('--min-usd <usd>', 'only threads that cost at least this much', parseUsd)
    .option('--latest <n>', 'only the threads with the latest events, these first')
    .option('--stale [graphs]', 'only open threads of other versions of these graphs')
    .action(action(async () => (await import('./commands/show.ts')).threads))
  const breakers = 'list the circuit breakers that the threads of a store share'
  on('breakers', breakers, 'breakers --trip search_docs --for 10m')
    .option('--open', 'only breakers that refuse calls')
    .option('--reset <resource>', 'close a breaker: GRAPH/tool:NAME, or NAME')
    .option('--trip <resource>', 'open a breaker')
    .option('--for <duration>', 'how long it stays open; 0s: the next call is a probe', '1h')
    .action(action(async () => (await import('./commands/store.ts')).breakers))
  const efficacy = 'show which ways out helped, by tool, problem and rung'
  on('efficacy', efficacy, 'efficacy --graph agent')
    .option('--graph <id>', 'only threads of this graph')
    .action(action(async () => (await import('./commands/efficacy.ts')).efficacy))
  const sql = 'read a store by one SELECT in SQL'
  on('sql [query]', sql, "sql 'SELECT thread, outcome FROM threads LIMIT 10'")
    .option('--schema', 'list the tables and the columns that a query reads')
    .option('--named <name>', 'run one of the queries that --schema lists')
    .option('--rows <n>', 'the most rows', '1000')
    .action(action(async () => (await import('./commands/sql.ts')).sql))
  const scopes = 'list what the threads of each scope spent together'
  on('scopes', scopes, 'scopes --release customer=42')
    .option('--release <scope=key>', 'reset a scope, which unblocks its next thread')
    .action(action(async () => (await import('./commands/store.ts')).scopes))
}
