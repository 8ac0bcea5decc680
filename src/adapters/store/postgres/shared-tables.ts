/** The tables beside the journal: breakers, shares of scopes, blobs, and the inbox of commands from other processes. */
import { createHash } from 'node:crypto'
import type { Share } from '../../../core/watch/budget/scope.ts'
import { type Breakpoint, breakpointText } from '../../../core/run/control.ts'
import type { Json } from '../../../core/watch/data/json.ts'
import { type Breaker, CLOSED } from '../../../core/watch/failure/breaker.ts'
import type { Reason } from '../../../core/watch/reason/reason.ts'
import type { Breakers } from '../../../runtime/gate/gate.ts'
import { type Command, personEvent } from '../../../runtime/store/person-event.ts'
import type { CommandState, ScopeKey, Shares } from '../../../runtime/store/store.ts'
import {
  type Breakpoints,
  type Store,
  ThreadPruned,
  UnknownThread,
} from '../../../runtime/store/store.ts'
import {
  commandName,
  damagedError,
  isCommandState,
  parseText,
} from '../../../runtime/store/row-text.ts'
import { upcastCommand } from '../../../runtime/store/upcast.ts'
import { type Body, commandKey, parseBody, summed } from '../../../runtime/store/body.ts'
import { type ShareLine, shareOf } from '../../../runtime/store/share-line.ts'
import type { Connection, Execute } from './connection.ts'
import { HELD } from './threads.ts'

type BreakerLine = Body & Readonly<{ resource: string; version: string }>

/** `noteChange` is called with each resource whose breaker has another state. */
export function breakers(
  { statement, execute, retried }: Connection,
  noteChange: (resource: string) => void,
): Omit<Breakers, 'onBreakerChange'> {
  const one = statement(
    'SELECT resource, version, body, sum::float8 AS sum FROM @breakers WHERE resource = $1',
  )
  const all = statement(
    'SELECT resource, version, body, sum::float8 AS sum FROM @breakers ORDER BY resource',
  )
  const add = statement(
    'INSERT INTO @breakers (resource, version, body, sum) VALUES ($1, 1, $2, $3) ON CONFLICT DO NOTHING RETURNING version',
  )
  const replace = statement(
    'UPDATE @breakers SET version = version + 1, body = $2, sum = $3 WHERE resource = $1 AND version = $4 RETURNING version',
  )
  const change = async (
    run: Execute,
    resource: string,
    changed: (breaker: Breaker) => Breaker,
  ): Promise<readonly [Breaker, Breaker]> => {
    for (;;) {
      const [line] = await run<BreakerLine>(one, [resource])
      const before = breakerOf(line)
      const after = changed(before)
      if (after === before) return [before, after]
      const values = [resource, ...summed(JSON.stringify(after), resource)]
      const written = line ? await run(replace, [...values, line.version]) : await run(add, values)
      // Otherwise another process was faster, and its breaker decides: a single one gets the probe.
      if (written.length > 0) return [before, after]
    }
  }
  return {
    breakers: async () =>
      new Map(
        (await execute<BreakerLine>(all)).map(line => [line.resource, breakerOf(line)] as const),
      ),
    breaker: async resource => breakerOf((await execute<BreakerLine>(one, [resource]))[0]),
    async changeBreaker(resource, changed) {
      const [before, after] = await retried(run => change(run, resource, changed))
      if (stateIn(before) !== stateIn(after)) noteChange(resource)
      return [before, after]
    },
  }
}

/** What waiting calls look at. They ignore the count of failures. */
const stateIn = (breaker: Breaker): string =>
  JSON.stringify([breaker.state, 'retryAt' in breaker && breaker.retryAt])

function breakerOf(line: BreakerLine | undefined): Breaker {
  if (!line) return CLOSED
  const breaker = parseBody<Breaker>(line, `the breaker of '${line.resource}'`, line.resource)
  return breaker.state === 'closed' && breaker.failures === 0 ? CLOSED : breaker
}

export function breakpoints({ statement, execute }: Connection): Breakpoints {
  const all = statement('SELECT id, body FROM @breakpoints ORDER BY id')
  const put = statement(
    'INSERT INTO @breakpoints (id, body) VALUES ($1, $2) ON CONFLICT (id) DO UPDATE SET body = excluded.body',
  )
  const drop = statement('DELETE FROM @breakpoints WHERE id = $1')
  return {
    async breakpoints() {
      const lines = await execute<{ id: string; body: string }>(all)
      return lines.map(line => parseText<Breakpoint>(line.body, `the breakpoint ${line.id}`))
    },
    async changeBreakpoint(of, isSet) {
      const id = breakpointText(of)
      if (isSet) await execute(put, [id, JSON.stringify(of)])
      else await execute(drop, [id])
    },
  }
}

type PooledLine = ShareLine & { readonly pool: string }

/** Names a scope and its key in an index. */
export const poolOf = ({ scope, key }: ScopeKey): string =>
  createHash('sha256')
    .update(JSON.stringify([scope, key]))
    .digest('base64url')
    .slice(0, 22)

export function shares({ statement, execute, transaction }: Connection): Shares {
  const line = 'SELECT pool, scope, key, thread, until, body, sum::float8 AS sum FROM @shares'
  const all = statement(`${line} ORDER BY scope, key, thread`)
  const some = statement(`${line} WHERE pool = $1 ORDER BY thread`)
  const locked = statement(`${line} WHERE pool = $1 ORDER BY thread FOR UPDATE`)
  const drop = statement('DELETE FROM @shares WHERE pool = $1 AND thread = $2')
  const replace = statement(
    'UPDATE @shares SET until = $3, body = $4, sum = $5 WHERE pool = $1 AND thread = $2',
  )
  return {
    async shares(of) {
      const lines = of
        ? await execute<PooledLine>(some, [poolOf(of)])
        : await execute<PooledLine>(all)
      return lines.map(pooledShareOf)
    },
    changeShares: (of, change) =>
      transaction(async run => {
        const pool = poolOf(of)
        for (const share of (await run<PooledLine>(locked, [pool])).map(pooledShareOf)) {
          const changed = change(share)
          if (!changed) await run(drop, [pool, share.thread])
          else if (changed !== share)
            await run(replace, [
              ...[pool, share.thread, changed.until],
              ...summed(JSON.stringify(changed)),
            ])
        }
      }),
  }
}

function pooledShareOf(line: PooledLine): Share {
  const share = shareOf(line)
  if (line.pool !== poolOf(share))
    throw damagedError(`the share of '${line.thread}' in scope '${line.scope}'`)
  return share
}

export function blobs({
  statement,
  execute,
  place,
}: Connection): Pick<Store, 'putBlob' | 'getBlob'> {
  const add = statement('INSERT INTO @blobs (hash, body) VALUES ($1, $2) ON CONFLICT DO NOTHING')
  const find = statement('SELECT body FROM @blobs WHERE hash = $1')
  return {
    async putBlob(hash, value) {
      await execute(add, [hash, JSON.stringify(value)])
    },
    async getBlob(hash) {
      const [found] = await execute<{ body: string }>(find, [hash])
      return found && parseText<Json>(found.body, `the blob ${hash} in ${place}`)
    },
  }
}

type CommandLine = Body & Readonly<{ command: string; state: string }>

interface StateLine {
  readonly state: string
  readonly reason: string | null
}

const OF_THREAD = 'thread = (SELECT id FROM @threads WHERE name = $1)'

/** `noteChange` is called with each thread that has a new command. */
export function inbox(
  { statement, execute }: Connection,
  noteChange: (thread: string) => void,
): Pick<Store, 'submit' | 'join' | 'inbox' | 'command'> {
  const add = statement(
    `WITH found AS (${HELD}), made AS (
       INSERT INTO @blobs (hash, body) SELECT $5::text, 'true' FROM found WHERE $5::text IS NOT NULL ON CONFLICT DO NOTHING RETURNING hash
     ), free AS (SELECT id FROM found WHERE $5::text IS NULL OR EXISTS (SELECT FROM made)), added AS (
       INSERT INTO @inbox (thread, command, event, sum, state) SELECT id, $2, $3, $4, 'waiting' FROM free ON CONFLICT DO NOTHING
     ) SELECT id FROM free`,
  )
  const join = statement(
    `WITH found AS (${HELD}), made AS (
       INSERT INTO @blobs (hash, body) SELECT $2::text, 'true' FROM found ON CONFLICT DO NOTHING
     ) SELECT id FROM found`,
  )
  const request = statement('SELECT hash FROM @blobs WHERE hash = $1')
  const waiting = statement(
    `SELECT command, event AS body, sum::float8 AS sum, state FROM @inbox WHERE ${OF_THREAD} AND state = 'waiting' ORDER BY id`,
  )
  const state = statement(`SELECT state, reason FROM @inbox WHERE ${OF_THREAD} AND command = $2`)
  /** Checks a command that was not added. New statements see what another process has stored meanwhile. @throws UnknownThread, ThreadPruned */
  const checkKnown = async (thread: string, command: string, once: string | undefined) => {
    const isMade = once !== undefined && (await execute(request, [once])).length > 0
    if (!isMade) throw new UnknownThread(thread)
    if ((await execute(state, [thread, command])).length === 0) throw new ThreadPruned(thread)
  }
  return {
    async submit(thread, command, event, once) {
      const body = summed(JSON.stringify(personEvent(event)), commandKey(thread, command))
      const added = await execute(add, [thread, command, ...body, once ?? null])
      if (added.length === 0) await checkKnown(thread, command, once)
      noteChange(thread)
    },
    join: async (thread, once) => (await execute(join, [thread, once])).length > 0,
    async inbox(thread) {
      const lines = await execute<CommandLine>(waiting, [thread])
      return lines.map(({ command, state, ...line }) => {
        const what = commandName(thread, command)
        // A command that the index lists in another state could not be settled, and would be applied again and again.
        if (state !== 'waiting') throw damagedError(what)
        const event = parseBody<Command>(line, what, commandKey(thread, command))
        return { command, event: upcastCommand(event) }
      })
    },
    command: async (thread, command) =>
      stateOf(
        (await execute<StateLine>(state, [thread, command]))[0],
        commandName(thread, command),
      ),
  }
}

function stateOf(line: StateLine | undefined, what: string): CommandState {
  if (!line) return { state: 'unknown' }
  const { state } = line
  if (!isCommandState(state)) throw damagedError(what)
  if (state !== 'refused') return { state }
  const reason = parseText<Reason>(line.reason ?? '', 'the reason of a refused command')
  return { state: 'refused', reason }
}
