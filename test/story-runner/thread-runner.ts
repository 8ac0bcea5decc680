/**
 * Runs a story with the whole runtime: `drive` with the store in memory, virtual time, and the external systems of its `world:` block.
 *
 *     drive                              until the thread ends or waits for a person; the first time, it is started
 *     drive as other                     another process takes over, the first one being gone
 *     after 5s submit cancel enough      somebody says so while the next drive is under way
 *     submit now cancel enough           the inbox, with the time at which it was said
 *     submit resume approved             the inbox; `@review#1` names the question, `to=B` the state to go on with, `in=ask#1/1` a child
 *     submit policy.change {"limits":{"steps":9}}
 *     thread second                      from here on it is about another thread of the same graph, store and process
 *     drive beside third                 both at once
 *     fork at 12 as refuse               a fork, whose story it is from here on; `fork as live {"retry": …}` from the end, with another policy
 *     migrate to B {"text":"x"}           to the graph `next` of `world`, with these channels (default: those it has)
 *     drive child ask#1/1                only this child thread
 *     show ask#1/1                       its journal
 *     later 2h                           time passes without a driver
 *     review                             the evidence for a question, as `show` prints it; `review ask#1` for another than review#1
 *     effects                            the ledger of the effects of the thread
 *     release job=key                    an operator lets a scope go
 *     ledger                             how often each tool and model was really performed
 */
import { pendingEffect } from '../../src/core/run/effects.ts'
import { effectsOf } from '../../src/core/review/ledger.ts'
import { reviewOf } from '../../src/core/review/review.ts'
import { rowFault } from '../../src/runtime/store/row-schema.ts'
import type { Row } from '../../src/core/run/run.ts'
import { releaseScope } from '../../src/core/watch/budget/scope.ts'
import type { ChosenRung, Decision, ForkEffects } from '../../src/core/watch/event/event.ts'
import { reviewText } from '../../src/faces/cli/print/escapes.ts'
import { drive } from '../../src/runtime/drive/drive.ts'
import type { Spec } from '../../src/core/graph/spec/spec.ts'
import type { Migrate } from '../../src/core/migration.ts'
import { fork } from '../../src/runtime/drive/copy.ts'
import { migrateThread } from '../../src/runtime/drive/migrate.ts'
import { startOf, withLeft } from '../../src/runtime/store/source.ts'
import { createGate } from '../../src/runtime/gate/gate.ts'
import type { Clock, Ports, Sleep } from '../../src/runtime/ports.ts'
import type { Command } from '../../src/runtime/store/person-event.ts'
import { redactor } from '../../src/runtime/redaction/redact.ts'
import { foldRows } from '../../src/runtime/store/replay.ts'
import { memoryStore } from '../../src/runtime/store/memory-store.ts'
import type { Store } from '../../src/runtime/store/store.ts'
import { virtualClock } from '../../src/testing/clock.ts'
import { threadNames, childLine, childrenOf } from './family.ts'
import { machineOfStory } from './machine-of.ts'
import { clock as clockText, codeText, noted, questionText, standing } from './print.ts'
import { rowText } from './row-text.ts'
import type { Blocks, Runner } from './story.ts'
import { duration, valueOf } from './words.ts'
import { notifiersOf, type Script } from './simulated-ports.ts'

/** Drives threads: `drive`, or another host. */
export type Drive = typeof drive

export interface ThreadRunner extends Runner {
  /** All threads of the store with their rows. */
  journals(): Promise<readonly { readonly thread: string; readonly rows: readonly Row[] }[]>
}

/** The thread a story is about until it names another. */
const FIRST = 'story'
/** As often as a real process looks into its inbox. */
const HEARTBEAT = 500

export function threadRunner(blocks: Blocks, driveThread: Drive = drive): ThreadRunner {
  const { machine: first, spec } = machineOfStory(blocks)
  let machine = first
  if (!spec) throw new Error('a story with a world needs a graph')
  const script = (blocks.world ?? {}) as Script
  const time = virtualClock(1_000_000)
  const process = mortal(memoryStore())
  const stage = { sleep: time.sleep as Sleep, die: process.die, ledger: new Map<string, number>() }
  const clock: Clock = {
    ...time,
    during: work =>
      time.during(sleep => {
        stage.sleep = sleep
        return work(sleep)
      }),
  }
  let graph = threadNames({ spec, machine }, script, stage)
  let ports: Ports = {
    graph,
    store: process.store,
    clock,
    wall: time.now,
    gate: createGate(),
    owner: 'one',
    isOwnerDead: owner => !owner.startsWith('other'),
    heartbeat: heartbeatOf(time),
    notifiers: notifiersOf(script, stage),
    redact: redactor(),
  }
  let gate = ports.gate
  let thread = FIRST
  const shown = new Map([[FIRST, 0]])
  let said = 0
  const known = new Set<number>()
  let news: string[] = []
  let lately: ReadonlySet<string> = new Set()
  const submit = (text: string) =>
    process.store
      .submit(
        below(thread, /\bin=(\S+)/.exec(text)?.[1]),
        `command-${++said}`,
        timed(text.replace(/\bin=\S+/, ''), time.now()),
      )
      .catch(error => news.push(`refused  ${String(error)}`))

  /** Commands refused since the last answer, with the reasons. */
  const refused = async () => {
    const lines: string[] = []
    for (let index = 1; index <= said; index++) {
      const state = await process.store.command(thread, `command-${index}`)
      if (state.state !== 'refused' || known.has(index)) continue
      known.add(index)
      lines.push(`refused  ${codeText(state.reason)}`)
    }
    return lines
  }
  const family = async () => childrenOf(process.store, { thread, graph })
  const driven = async (owner: string, name = thread) => {
    process.revive()
    const { input = {}, seed = 1 } = script
    const begun = await process.store.thread(name)
    const own = (await family()).find(child => child.thread === name)?.graph ?? graph
    if (own === graph && !shown.has(name)) shown.set(name, 0)
    try {
      await driveThread(
        { ...ports, graph: own, owner, gate },
        name,
        begun ? {} : { start: { input, seed } },
      )
    } catch (error) {
      news.push(`thrown   ${String(error)}`)
      gate = createGate()
    }
  }
  /** The evidence of an open question, as `show` prints it. */
  const reviewed = async (id: string) => {
    const rows = await process.store.rows(thread)
    const run = foldRows(machine, undefined, rows)
    const effect = run && pendingEffect(run.pending, id || 'review#1')
    const review = run && reviewOf(machine, run, rows, id || 'review#1')
    const question = effect?.type === 'interrupt' ? questionText(effect.question) : ''
    news.push(
      review
        ? reviewText({ ...review, question }, at => clockText(at - run.startedAt), codeText)
        : `no open question ${id}`,
    )
  }
  const forked = async (text: string) => {
    const [, at, effects = '', change] = /^(?:at (\d+) )?as (\w+)\s*(.*)$/.exec(text) ?? []
    const as = `${thread}-${effects}`
    try {
      const terms = {
        thread,
        as,
        effects: effects as ForkEffects,
        ...(at === undefined ? {} : { at: Number(at) }),
        ...(change ? { change: valueOf(change) } : {}),
      }
      await fork({ ...ports, gate }, terms)
      // The copied rows were printed before.
      shown.set(
        as,
        (await process.store.rows(as)).findLastIndex(({ event }) => event.type === 'forked'),
      )
      thread = as
    } catch (error) {
      news.push(`thrown   ${String(error)}`)
    }
  }
  /** Another version of the graph takes over the thread, and the later commands are about that version. */
  const migrated = async (text: string) => {
    const [, node = '', channels] = /^to (\w+)\s*(.*)$/.exec(text) ?? []
    const next = machineOfStory({ graph: blocks.world?.next as NonNullable<Blocks['graph']> })
    const held = threadNames({ ...next, spec: next.spec as Spec }, script, stage)
    const migrate: Migrate = ({ channels: before }) => ({
      node,
      channels: channels ? (valueOf(channels) as typeof before) : before,
    })
    const { refused: why } = await migrateThread({ ...ports, graph: { ...held, migrate } }, thread)
    if (why) return news.push(`refused  ${codeText(why)}`)
    const { left } = await startOf(process.store, thread)
    machine = await withLeft(process.store, held.machine, left)
    graph = { ...held, machine }
    ports = { ...ports, graph }
    return undefined
  }
  return {
    journals: async () => {
      const names = (await process.store.threads()).map(({ thread }) => thread).toSorted()
      return Promise.all(
        names.map(async name => ({ thread: name, rows: await process.store.rows(name) })),
      )
    },
    async run(command) {
      const [, word, rest = ''] = /^(\w+)\s*(.*)$/.exec(command) ?? []
      if (word === 'drive' && rest.startsWith('beside '))
        await Promise.all([driven('one'), driven('one', rest.replace('beside ', ''))])
      else if (word === 'drive')
        await driven(
          /\bas (\S+)/.exec(rest)?.[1] ?? 'one',
          below(thread, /^child (\S+)/.exec(rest)?.[1]),
        )
      else if (word === 'show')
        news.push(
          ...rowLines(await process.store.rows(below(thread, rest))).map(line => `  ${line}`),
        )
      else if (word === 'thread') thread = rest
      else if (word === 'release') await released(process.store, rest)
      else if (word === 'fork') await forked(rest)
      else if (word === 'migrate') await migrated(rest)
      else if (word === 'later') await time.sleep(duration(rest))
      else if (word === 'submit') await submit(rest)
      else if (word === 'ledger')
        news.push(
          `ledger   ${[...stage.ledger].map(([name, count]) => `${name} ${count}`).join(', ')}`,
        )
      else if (word === 'review') await reviewed(rest)
      else if (word === 'effects')
        for (const { tool, args, seq, kind, became } of effectsOf(await process.store.rows(thread)))
          news.push(`effect   ${tool} ${args} ${kind}, known by ${seq}: ${codeText(became)}`)
      else if (word === 'after') {
        const [, wait = '0', text = ''] = /^(\S+) submit (.*)$/.exec(rest) ?? []
        void time.sleep(duration(wait)).then(() => submit(text))
      } else throw new Error(`a story of the runtime cannot say '${word}'`)
    },
    async output() {
      const lines: string[] = []
      const children = await Promise.all(
        (await family()).map(async child =>
          childLine(thread, child, await process.store.rows(child.thread)),
        ),
      )
      for (const [name, seen] of shown) {
        const rows = await process.store.rows(name)
        if (rows.length === seen && name !== thread) continue
        const own =
          name === thread
            ? [...news, ...(await refused()), ...children.filter(line => !lately.has(line))]
            : []
        const run = foldRows(machine, undefined, rows)
        shown.set(name, rows.length)
        lines.push(
          ...(shown.size > 1 ? [`thread   ${name}`] : []),
          ...rowLines(rows, seen),
          ...own,
          ...(run ? standing(run) : []),
        )
      }
      lately = new Set(children)
      news = []
      return lines
    },
  }
}

/** `now …`: with its time. */
function timed(text: string, now: number): Command {
  return text.startsWith('now ') ? { ...commandOf(text.slice(4)), at: now } : commandOf(text)
}

/** A thread, or one that it has started. */
function below(thread: string, child: string | undefined): string {
  return child === undefined ? thread : `${thread}/${child}`
}

function rowLines(rows: readonly Row[], from = 0): readonly string[] {
  for (const row of rows.slice(from)) checkShape(row)
  return rows
    .slice(from)
    .flatMap(row => [
      `${String(row.seq).padEnd(3)} ${clockText(row.event.at - (rows[0]?.event.at ?? 0)).padEnd(7)} ${rowText(row)}`,
      ...noted(row).map(line => `            ${line}`),
    ])
}

/** An archive of the thread must be accepted. */
function checkShape(row: Row): void {
  const fault = rowFault(JSON.parse(JSON.stringify(row)))
  if (fault) throw new Error(`row ${row.seq}, ${row.event.type}: ${fault.path}: ${fault.message}`)
}

/** As `escapement scopes --release` does. */
async function released(store: Store, text: string): Promise<void> {
  const [scope = '', key = ''] = text.split('=')
  await store.changeShares({ scope, key: `${key} (virtual)` }, releaseScope)
}

function commandOf(text: string): Command {
  const [, word, rest = ''] = /^(\S+)\s*(.*)$/.exec(text) ?? []
  if (word === 'policy.change') return { type: word, change: valueOf(rest) }
  if (word === 'message') return { type: 'message', input: valueOf(rest) }
  if (word === 'cancel') return { type: 'cancel', reason: rest || 'cancelled' }
  const [, decision = '', more = ''] = /^(\S+)\s*(.*)$/.exec(rest) ?? []
  const [, effect = 'review#1'] = /@(\S+)/.exec(more) ?? []
  const [, to] = /\bto=(\S+)/.exec(more) ?? []
  const [, rung] = /\brung=(\S+)/.exec(more) ?? []
  const output = more.replace(/@\S+|\b(to|rung)=\S+/g, '').trim()
  return {
    type: 'resume',
    effect,
    decision: decision as Decision,
    ...(to === undefined ? {} : { to }),
    ...(rung === undefined ? {} : { rung: rung as ChosenRung }),
    ...(output === '' ? {} : { output: valueOf(output) }),
  }
}

/** A store whose process can be ended. It then rejects all writes until it is revived. */
function mortal(store: Store): { store: Store; die: () => void; revive: () => void } {
  let dead = false
  return {
    die: () => {
      dead = true
    },
    revive: () => {
      dead = false
    },
    store: {
      ...store,
      append: async batch => {
        if (dead) throw new Error('the process is gone')
        return store.append(batch)
      },
      // A dead process releases no lease.
      release: async lease => (dead ? undefined : store.release(lease)),
    },
  }
}

function heartbeatOf(time: ReturnType<typeof virtualClock>): Ports['heartbeat'] {
  return beat => {
    const over = new AbortController()
    const beating = async () => {
      for (;;) {
        await time.sleep(HEARTBEAT, over.signal)
        beat()
      }
    }
    beating().catch(() => {})
    return () => over.abort(new Error('over'))
  }
}
