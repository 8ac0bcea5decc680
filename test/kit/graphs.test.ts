/** The included graphs on the runtime in virtual time: each ends for its intended reason. */
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { loadSpec } from '../../src/adapters/spec/library.ts'
import { loadUses } from '../../src/adapters/spec/load-uses.ts'
import { faultText } from '../../src/adapters/spec/source.ts'
import { lint } from '../../src/core/graph/lint/lint.ts'
import type { Row, Run } from '../../src/core/run/run.ts'
import type { Json } from '../../src/core/watch/data/json.ts'
import { bindGraph } from '../../src/kit/bind/bind.ts'
import { scriptedModel } from '../../src/testing/scripted-model.ts'
import { drive } from '../../src/runtime/drive/drive.ts'
import { createGate } from '../../src/runtime/gate/gate.ts'
import type { Ports } from '../../src/runtime/ports.ts'
import { memoryStore } from '../../src/runtime/store/memory-store.ts'
import type { Store } from '../../src/runtime/store/store.ts'
import { virtualClock } from '../../src/testing/clock.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

async function graphAt(name: string, edit?: (spec: Json) => Json) {
  const loaded = await loadSpec(`${ROOT}/graphs/${name}.yaml`, edit as (value: unknown) => unknown)
  if (loaded.faults) throw new Error(loaded.faults.map(faultText).join('\n'))
  const { uses, faults } = await loadUses(loaded)
  if (!uses) throw new Error(faults.map(faultText).join('\n'))
  return {
    spec: loaded.spec,
    graph: bindGraph(loaded.spec, {
      workspace: ROOT,
      nodes: uses.nodes,
      tools: uses.tools,
      model: (model, spec) => scriptedModel(spec, uses.scripts[model] ?? []),
    }),
  }
}

async function run(ports: Pick<Ports, 'graph'>, { seed = 1, input = {} as Json } = {}) {
  const store = memoryStore()
  return {
    run: await drive(portsFor(ports, store, 0), 'thread', { start: { input, seed } }),
    rows: await store.rows('thread'),
  }
}

function portsFor({ graph }: Pick<Ports, 'graph'>, store: Store, now: number): Ports {
  return {
    graph,
    store,
    clock: virtualClock(now),
    wall: () => now,
    gate: createGate(),
    owner: 'test',
    isOwnerDead: () => false,
    heartbeat: () => () => {},
    redact: value => value,
  }
}

const escapes = (rows: readonly Row[]) =>
  rows.flatMap(({ seq, verdict }) =>
    verdict.kind === 'escape'
      ? [{ seq, route: verdict.route, detector: verdict.because[0]?.detector }]
      : [],
  )
const count = (rows: readonly Row[], type: string) =>
  rows.filter(({ event }) => event.type === type).length

test.each(['ring', 'agent', 'release', 'approval'])('%s: has no lint findings', async name => {
  expect(lint((await graphAt(name)).spec)).toEqual([])
})

describe('agent', () => {
  test('repeats itself, escapes by an alternative and reaches the goal', async () => {
    const { run: ended, rows } = await run(await graphAt('agent'))
    expect(ended.ended).toMatchObject({
      outcome: 'success',
      reason: 'goal',
      result: { answer: { command: 'npm test' } },
    })
    expect(escapes(rows)).toMatchObject([{ route: { rung: 'alternative', to: 'replan' } }])
    expect(
      rows.flatMap(({ event }) => (event.type === 'tool.done' ? [event.subject] : [])),
    ).toEqual(expect.arrayContaining(['list_dir', 'read_file', 'grep', 'attempt_completion']))
    expect(ended.lessons).toMatchObject([{ cause: { params: { call: 'search_docs' } } }])
  })

  test.each([
    ['503', { status: 503 }],
    ['401', { class: 'persistent', status: 401 }],
    ['an unknown error', { class: 'unknown', status: undefined }],
  ])(
    'a tool that always fails with %s costs four model calls and three executions at most',
    async (_, failing) => {
      const broken = (spec: Json) => {
        const { tools, ...rest } = spec as { tools: { search_docs: { with: object } } }
        const settings = Object.fromEntries(
          Object.entries({ ...tools.search_docs.with, message: 'xyzzy', ...failing }).filter(
            ([, value]) => value !== undefined,
          ),
        )
        return {
          ...rest,
          tools: { ...tools, search_docs: { ...tools.search_docs, with: settings } },
        } as Json
      }
      const { run: ended, rows } = await run(await graphAt('agent', broken))
      const before = rows.slice(0, escapes(rows)[0]?.seq)
      expect(count(before, 'model.called')).toBeLessThanOrEqual(4)
      expect(count(before, 'tool.called')).toBeLessThanOrEqual(3)
      expect(ended.ended).toMatchObject({ outcome: 'success' })
    },
  )

  test('stops a model that repeats itself endlessly, with a reason and the partial result', async () => {
    const { spec } = await graphAt('agent')
    const stubborn = scriptedModel({ id: 'stubborn', timeout: 1_000 }, [
      {
        when: {},
        say: 'I search.',
        calls: [{ tool: 'search_docs', args: { query: 'x' } }],
        times: 'always',
        latency: 0,
      },
    ])
    const { run: ended, rows } = await run({
      graph: bindGraph(spec, { workspace: ROOT, model: () => stubborn }),
    })
    expect(ended.ended).toMatchObject({
      outcome: 'stopped',
      result: { thought: 'I search.', answer: null },
    })
    expect(ended.ended?.reason).not.toBe('')
    expect(count(rows, 'model.called')).toBeLessThan(15)
  })
})

describe('ring', () => {
  test('all of forty seeds reach E, some by a failing B and some by an escape, and the same seed gives the same rows', async () => {
    const graph = await graphAt('ring')
    const ways: Record<string, number> = {}
    for (let seed = 1; seed <= 40; seed++) {
      const { run: ended, rows } = await run(graph, { seed })
      expect(ended.ended).toMatchObject({ outcome: 'success', reason: 'goal' })
      const [escape, ...more] = escapes(rows)
      expect(more).toEqual([])
      expect(escape?.detector).toBeTruthy()
      const way =
        escape?.route.rung === 'alternative'
          ? LOOPS.has(escape.detector ?? '')
            ? 'loop'
            : 'failure'
          : 'none'
      ways[way] = (ways[way] ?? 0) + 1
    }
    expect(Object.keys(ways).sort()).toEqual(['failure', 'loop'])
    expect(Math.min(...Object.values(ways))).toBeGreaterThan(5)
    expect(await run(graph, { seed: 7 })).toEqual(await run(graph, { seed: 7 }))
  })
})

const LOOPS: ReadonlySet<string> = new Set(['sequence', 'repetition'])

describe('approval', () => {
  const input = { topic: 'our new release' }

  test('drafts, then waits one day for a person', async () => {
    const { run: waiting } = await run(await graphAt('approval'), { input })
    expect(waiting.ended).toBeUndefined()
    expect(waiting.pending).toMatchObject([
      { type: 'interrupt', node: 'approve', deadline: 86_400_000 },
    ])
    expect(waiting.snapshot.context.draft).toMatch(/at last/)
  })

  test('is revised with all notes until the person approves it', async () => {
    const story = await answering(input, [
      { decision: 'rejected', output: { notes: 'shorter' } },
      ...Array.from({ length: 5 }, () => ({ decision: 'rejected' as const })),
      { decision: 'approved' },
    ])
    expect(story.map(({ snapshot }) => snapshot.context.draft)[1]).toBe('It is out. Try it.')
    expect(story.at(-1)?.ended).toMatchObject({
      outcome: 'success',
      reason: 'goal',
      result: { draft: 'It is out. Try it.' },
    })
  })

  test('takes the text of the person, and ends unpublished if the question expires', async () => {
    expect(
      (await answering(input, [{ decision: 'edited', output: { draft: 'Mine.' } }])).at(-1)?.ended,
    ).toMatchObject({ outcome: 'success', result: { draft: 'Mine.' } })
    expect((await answering(input, ['noToolCall'])).at(-1)?.ended).toMatchObject({
      outcome: 'failure',
    })
  })
})

type Answer =
  | { readonly decision: 'approved' | 'rejected' | 'edited'; readonly output?: Json }
  | 'noToolCall'

/** The run of approval.yaml after each of these answers. */
async function answering(input: Json, answers: readonly Answer[]): Promise<readonly Run[]> {
  const { graph } = await graphAt('approval')
  const store = memoryStore()
  const runs: Run[] = []
  let now = 0
  for (const [index, answer] of [undefined, ...answers].entries()) {
    if (answer === 'noToolCall') now += 86_400_001
    else if (answer)
      await store.submit('thread', `answer ${index}`, {
        type: 'resume',
        effect: runs.at(-1)?.pending[0]?.id ?? '',
        ...answer,
      })
    runs.push(await drive(portsFor({ graph }, store, now), 'thread', { start: { input, seed: 1 } }))
  }
  return runs
}

describe('release', () => {
  test('publishes for all of twenty seeds; only the looping region escapes', async () => {
    const graph = await graphAt('release')
    for (let seed = 1; seed <= 20; seed++) {
      const { run: ended, rows } = await run(graph, { seed })
      expect(ended.ended).toMatchObject({
        outcome: 'success',
        result: { published: { version: '1.2.0' }, tests: { passed: false } },
      })
      expect(escapes(rows)).toMatchObject([
        { route: { rung: 'alternative', region: 'prepare.check', to: 'quarantine' } },
      ])
    }
  })

  test('withdraws the release if the suite cannot run, and still writes its notes', async () => {
    const broken = (spec: Json) => {
      const { tools, ...rest } = spec as { tools: { suite: { with: object } } }
      return {
        ...rest,
        tools: {
          ...tools,
          suite: { ...tools.suite, with: { p: 1, class: 'persistent', status: 401 } },
        },
      } as Json
    }
    const { run: ended, rows } = await run(await graphAt('release', broken))
    expect(ended.ended).toMatchObject({
      outcome: 'failure',
      result: { published: null, notes: expect.stringContaining('Faster') },
    })
    expect(rows.flatMap(({ edges }) => edges)).toContain('prepare:done.failed>withdraw')
  })
})
