/** Journals of version 0.1.0: they load with the same meaning under current names, and continue. */
import { copyFileSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { readArchive } from '../../src/adapters/node/files.ts'
import { sqliteStore } from '../../src/adapters/store/sqlite/sqlite-store.ts'
import { machineOfSource } from '../../src/host/drive/load.ts'
import type { Row, Run, Started } from '../../src/core/run/run.ts'
import { isWrapped, wrappedRuns } from '../../src/core/run/wrapped-run.ts'
import type { ModelSpec } from '../../src/core/graph/spec/resource.ts'
import type { Spec } from '../../src/core/graph/spec/spec.ts'
import { readSpec } from '../../src/core/graph/spec/read.ts'
import type { Json } from '../../src/core/watch/data/json.ts'
import { VERSION } from '../../src/core/watch/parts.ts'
import { bindGraph } from '../../src/kit/bind/bind.ts'
import { readScript, scriptedModel } from '../../src/testing/scripted-model.ts'
import { drive } from '../../src/runtime/drive/drive.ts'
import { versionOf } from '../../src/runtime/store/archive.ts'
import { parseArchive } from '../../src/runtime/store/archive-parser.ts'
import { importThreads } from '../../src/runtime/drive/copy.ts'
import { memoryStore } from '../../src/runtime/store/memory-store.ts'
import { replay } from '../../src/runtime/store/replay.ts'
import { getSource } from '../../src/runtime/store/source.ts'
import type { Store } from '../../src/runtime/store/store.ts'
import { upcastRows, upcastSource } from '../../src/runtime/store/upcast.ts'
import { virtualClock } from '../../src/testing/clock.ts'
import { newFolders } from '../durability/folders.ts'
import { escapement } from '../durability/process.ts'
import { portsOf } from './desk.ts'

const FOLDER = fileURLToPath(new URL('../fixture/0.1.0', import.meta.url))
const newFolder = newFolders()

const archive = (name: string) => parseArchive(readArchive(join(FOLDER, `${name}.escapement.gz`)))
const shown = (name: string) => JSON.parse(readFileSync(join(FOLDER, `${name}.show.json`), 'utf8'))

function storeCopy(): { readonly folder: string; readonly store: Store } {
  const folder = newFolder()
  copyFileSync(join(FOLDER, 'threads.db'), join(folder, 'threads.db'))
  return { folder, store: sqliteStore({ file: join(folder, 'threads.db') }) }
}

async function runIn(store: Store, thread: string): Promise<Run | undefined> {
  const [first] = await store.rows(thread, -1, 1)
  const source = await getSource(store, thread, first?.event as Started)
  return replay(await machineOfSource(source), store, thread)
}

/** What a run has come to, in the names of `show --json` of version 0.1.0. */
function inOldNames({ ended, watch }: Run) {
  const { duration, ...spent } = watch.account.spent
  return {
    outcome: ended?.outcome ?? null,
    reason: ended?.reason.replace('duration', 'wall') ?? null,
    spent: { ...spent, wall: duration },
  }
}

describe('an archive of version 0.1.0', () => {
  it.each(['agent', 'night', 'release', 'names'])('is imported: %s', async name => {
    const store = memoryStore()
    const ports = { store, owner: 'me', wall: () => 0, isOwnerDead: () => false }
    const { run } = await importThreads(
      { ...ports, machineOf: machineOfSource },
      await archive(name),
    )
    const { outcome, reason, spent } = shown(name)
    expect(inOldNames(run)).toEqual({ outcome, reason, spent })
    expect(inOldNames((await runIn(store, name)) as Run)).toEqual({ outcome, reason, spent })
  })

  it('is imported with its child threads', async () => {
    const store = memoryStore()
    const ports = { store, owner: 'me', wall: () => 0, isOwnerDead: () => false }
    await importThreads({ ...ports, machineOf: machineOfSource }, await archive('services'))
    expect((await store.threads()).map(({ thread, outcome }) => [thread, outcome])).toEqual([
      ['services/available#1/1', 'success'],
      ['services', 'success'],
    ])
  })

  it('of a wrapped agent can be read, and an import reports why it is rejected', async () => {
    const read = await archive('watched')
    const [thread] = read.threads
    const rows = thread?.rows ?? []
    expect(isWrapped(rows[0]?.event)).toBe(true)
    expect(wrappedRuns(rows).at(-1)?.ended).toMatchObject({ outcome: 'stopped', reason: 'loop' })
    const [finding] = rows.flatMap(({ findings }) => findings)
    expect(finding).toMatchObject({ detector: 'sequence', confidence: 0.75 })
    const ports = { store: memoryStore(), owner: 'me', wall: () => 0, isOwnerDead: () => false }
    await expect(importThreads({ ...ports, machineOf: machineOfSource }, read)).rejects.toThrow(
      "thread 'watched' belongs to a wrapped agent: it can be read, not imported",
    )
  })

  it('has its events, findings and decisions under their current names', async () => {
    const { threads, kept } = await archive('names')
    const rows = threads[0]?.rows ?? []
    const first = rows[0]?.event as Started
    expect(first.policy.limits).toEqual({
      steps: 60,
      nodeCalls: 1_000,
      duration: 30_000,
      round: { duration: 3_600_000 },
      scopes: expect.objectContaining({
        job: expect.objectContaining({ duration: 7_200_000, per: 86_400_000 }),
      }),
    })
    expect(first.policy.detect).toMatchObject({
      noToolCall: { times: 2 },
      repeatedText: false,
      degenerateOutput: { repeats: 10, length: 200 },
      nodes: { plan: { noToolCall: { times: 2 } } },
    })
    const findings = rows.flatMap(({ findings }) => findings)
    expect(findings.map(({ kind, detector, id }) => [kind, detector, id])).toEqual([
      ['noToolCall', 'noToolCall', 'noToolCall fast'],
      ['loop', 'sequence', expect.any(String)],
      ['loop', 'sequence', expect.any(String)],
      ['loop', 'sequence', expect.any(String)],
      ['budget', 'duration', 'budget duration'],
      ['failure', 'transient', expect.any(String)],
      ['budget', 'duration', 'budget duration'],
      ['failure', 'transient', expect.any(String)],
    ])
    expect(findings[1]).toMatchObject({ confidence: 0.75, burned: { duration: 3_000 } })
    expect(findings[4]?.members).toEqual(['duration'])
    expect(rows.filter(({ event }) => event.type === 'rollback.done')).toHaveLength(2)
    expect(rows.flatMap(({ event }) => (event.type === 'resume' ? [event.decision] : []))).toEqual([
      'dismiss',
      'dismiss',
    ])
    expect(rows.at(-1)?.ended?.reason).toBe('budget.duration')
    expect(JSON.stringify(rows)).not.toMatch(
      /"(wall|silence|chant|monologue|sure|fine|rolledBack)"/,
    )
    const [source] = [...kept.values()]
    const { spec } = upcastSource(versionOf(rows), source as Json) as { readonly spec: Json }
    expect(readSpec(spec)).toMatchObject({
      spec: { nodes: { plan: { on: { noToolCall: 'begin' } } }, limits: { duration: 30_000 } },
    })
  })
})

describe('a store of version 0.1.0', () => {
  it('is read without changes to the state of its threads', async () => {
    const { store } = storeCopy()
    const stood = await Promise.all(
      ['agent', 'night', 'release'].map(async name => [
        name,
        inOldNames((await runIn(store, name)) as Run),
      ]),
    )
    expect(stood).toEqual(
      ['agent', 'night', 'release'].map(name => {
        const { outcome, reason, spent } = shown(name)
        return [name, { outcome, reason, spent }]
      }),
    )
    expect(await store.shares()).toMatchObject([
      { scope: 'night', dismissed: [], spent: { duration: 3_094 } },
    ])
  })

  it('is shown by the command line', async () => {
    const { folder } = storeCopy()
    for (const thread of ['night', 'watched', 'services'])
      expect(
        await escapement(['show', thread, '--store', 'threads.db'], { cwd: folder }),
      ).toMatchObject({
        code: 0,
        out: expect.stringContaining(thread),
      })
  })

  it('has a waiting thread that continues to its end after the answer', async () => {
    const { store } = storeCopy()
    const [first] = await store.rows('approval', -1, 1)
    const { spec } = (await getSource(store, 'approval', first?.event as Started)) as unknown as {
      readonly spec: Spec
    }
    const { script } = readScript([{ times: 'always', say: 'Out now.' }])
    const graph = bindGraph(spec, {
      workspace: '.',
      tools: {},
      nodes: {},
      model: name => scriptedModel(spec.models[name] as ModelSpec, script ?? []),
    })
    await store.submit('approval', 'one', {
      type: 'resume',
      effect: 'approve#1',
      decision: 'rejected',
      output: { notes: 'shorter, please' },
    })
    const ports = { ...portsOf(graph), store, clock: virtualClock(0) }
    expect((await drive(ports, 'approval')).ended).toBeUndefined()
    await store.submit('approval', 'two', {
      type: 'resume',
      effect: 'approve#2',
      decision: 'approved',
    })
    expect((await drive(ports, 'approval')).ended).toMatchObject({
      outcome: 'success',
      reason: 'goal',
      result: { draft: 'Out now.' },
    })
  })
})

it('a waiting command in the inbox of version 0.1.0 is applied under its current name', async () => {
  const { folder, store } = storeCopy()
  const { DatabaseSync } = await import('node:sqlite')
  const db = new DatabaseSync(join(folder, 'threads.db'))
  const add = db.prepare(
    "INSERT INTO inbox (thread, command, event, state) SELECT id, ?, ?, 'waiting' FROM threads WHERE name = 'night'",
  )
  add.run('one', JSON.stringify({ type: 'resume', effect: 'review#1', decision: 'fine' }))
  add.run('two', JSON.stringify({ type: 'policy.change', change: { limits: { wall: '2h' } } }))
  expect((await store.inbox('night')).map(({ event }) => event)).toEqual([
    { type: 'resume', effect: 'review#1', decision: 'dismiss' },
    { type: 'policy.change', change: { limits: { duration: '2h' } } },
  ])
  db.close()
})

it('a child that a limit ended has the reason and the spending under their current names', () => {
  const ended = { type: 'child.done', outcome: 'stopped', reason: 'budget.wall' }
  const row = { seq: 9, event: { ...ended, spent: { steps: 2, wall: 7 } }, findings: [] }
  expect(upcastRows('0.1.0', [row as unknown as Row])).toEqual([
    {
      ...row,
      event: { ...ended, reason: 'budget.duration', spent: { steps: 2, duration: 7 } },
    },
  ])
})

it('rows of this version are not changed', () => {
  expect(upcastSource(VERSION, { spec: { limits: { wall: 1 } } })).toEqual({
    spec: { limits: { wall: 1 } },
  })
  const { version } = JSON.parse(
    readFileSync(fileURLToPath(new URL('../../package.json', import.meta.url)), 'utf8'),
  )
  expect(VERSION).toBe(version)
})
