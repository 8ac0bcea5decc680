/** Custom parts from modules beside a spec: the loader reports faults with their path, and valid parts reach the machine. */
import { join, relative } from 'node:path'
import { describe, expect, test } from 'vitest'
import { faultText } from '../../src/adapters/spec/source.ts'
import { loadParts } from '../../src/adapters/spec/load-uses.ts'
import { loadSpec } from '../../src/adapters/spec/library.ts'
import { bindLoaded, loadSpecs, machineOfSource } from '../../src/host/drive/load.ts'
import { defineClassifier, defineDetector, defineRung } from '../../src/core/watch/detect/custom.ts'
import { watchParts } from '../../src/core/watch/parts.ts'
import { drive } from '../../src/runtime/drive/drive.ts'
import { createGate } from '../../src/runtime/gate/gate.ts'
import { memoryStore } from '../../src/runtime/store/memory-store.ts'
import type { Graph, Ports } from '../../src/runtime/ports.ts'
import { replay } from '../../src/runtime/store/replay.ts'
import type { Store } from '../../src/runtime/store/store.ts'
import { virtualClock } from '../../src/testing/clock.ts'
import { folderWith } from '../kit/fake.ts'

/** As defineDetector and the others return them; a module of a user would import those. */
const PARTS = `
export const third = { name: 'third', version: 4, start: 0, sees: ['answered'], options: { at: 3 },
  observe: (count, _, { at }) => [count + 1, count + 1 >= at ? { kind: 'stall', summary: 'it is the third' } : undefined] }
export const handover = { name: 'handover', version: 2, choose: () => ({ rung: 'alternative', to: 'other' }) }
export const byVendor = { name: 'byVendor', version: 1, classify: ({ code }) => code === 'E42' ? { class: 'business', scope: 'request' } : undefined }
export const twice = { name: 'sequence', version: 1, start: 0, sees: ['answered'], observe: state => [state, undefined] }
export const retry = { name: 'retry', version: 1, choose: () => 'never' }
export const work = Object.assign(async task => { for (let n = 0; n < 5; n++) await task.call('t', { n }); return {} }, { version: 7 })
export const nothing = 1
export const unversioned = { ...third, version: '4' }
`

const spec = (rest: string) => `escapement: 1
id: own
start: work
nodes:
  work: { use: ./parts.mjs#work, on: { done: end } }
  other: { use: pass, on: { done: end } }
  end: { final: success }
tools: { t: { use: flaky, with: { p: 0 } } }
${rest}`

const ALL =
  'parts: { detectors: [./parts.mjs#third], rungs: [./parts.mjs#handover], classifier: ./parts.mjs#byVendor }\nescape: { ladder: [handover, stop] }\n'

async function folderOf(rest: string) {
  const folder = await folderWith({ 'spec.yaml': spec(rest), 'parts.mjs': PARTS })
  return { folder, file: join(folder, 'spec.yaml') }
}

async function wrongWith(rest: string): Promise<string> {
  const { file, folder } = await folderOf(rest)
  try {
    await bindLoaded(await loadSpecs(file), { workspace: folder })
    return 'nothing'
  } catch (error) {
    return (error as Error).message.replaceAll(`${folder}/`, '')
  }
}

function portsOf(graph: Graph, store: Store): Ports {
  const clock = virtualClock(0)
  return {
    graph,
    store,
    clock,
    wall: clock.now,
    gate: createGate(),
    owner: 'test',
    isOwnerDead: () => false,
    heartbeat: () => () => {},
    redact: value => value,
  }
}

describe('custom parts', () => {
  test('detect, classify and escape in a run, and are recorded in its first event by name and version', async () => {
    const { file, folder } = await folderOf(ALL)
    const graph = await bindLoaded(await loadSpecs(file), { workspace: folder })
    const store = memoryStore()
    const run = await drive(portsOf(graph, store), 'thread', { start: { input: {}, seed: 1 } })
    const [first, ...rows] = await store.rows('thread')
    expect(first?.event).toMatchObject({
      versions: {
        detectors: expect.stringMatching(/ third@4$/),
        rungs: 'handover@2',
        classifier: 'byVendor@1',
        nodes: 'work@7',
      },
    })
    expect(
      rows.flatMap(({ verdict }) => (verdict.kind === 'escape' ? [verdict] : [])),
    ).toMatchObject([
      {
        route: { rung: 'alternative', to: 'other', by: 'handover' },
        because: [
          { detector: 'third', reason: { code: 'custom', params: { text: 'it is the third' } } },
        ],
      },
    ])
    expect(run.ended).toMatchObject({ outcome: 'success' })
    expect(await replay(await machineOfSource(graph.source), store, 'thread')).toEqual(run)
  })

  test('a new version rebuilds its memory from the rows and keeps earlier decisions', async () => {
    const { file, folder } = await folderOf(ALL)
    const graph = await bindLoaded(await loadSpecs(file), { workspace: folder })
    const store = memoryStore()
    const run = await drive(portsOf(graph, store), 'thread', { start: { input: {}, seed: 1 } })
    const third = defineDetector({
      name: 'third',
      version: 5,
      start: 'new',
      sees: ['answered'],
      observe: state => [`${state}!`, { kind: 'loop', summary: 'at once' }],
    })
    const later = await replay(
      { ...graph.machine, parts: watchParts({ detectors: [third] }) },
      store,
      'thread',
    )
    expect(later?.watch.version).toMatch(/ third@5$/)
    expect(later?.ended).toEqual(run.ended)
    expect(later?.watch.ladder).toEqual(run.watch.ladder)
  })

  test.each([
    [
      'a missing file',
      'parts: { rungs: [./gone.mjs#x] }',
      "spec.yaml: parts.rungs[0]: file './gone.mjs' not found",
    ],
    [
      'a missing export',
      'parts: { rungs: [./parts.mjs#x] }',
      /^spec\.yaml: parts\.rungs\[0\]: '\.\/parts\.mjs' exports no 'x'; it exports: /,
    ],
    [
      'an export that is not a part',
      'parts: { detectors: [./parts.mjs#nothing] }',
      "spec.yaml: parts.detectors[0]: 'nothing' in './parts.mjs' has the type number; expected what defineDetector({ … }) returns",
    ],
    [
      'a part of another kind',
      'parts: { detectors: [./parts.mjs#handover] }',
      /expected what defineDetector/,
    ],
    [
      'a part whose version is not a number',
      'parts: { detectors: [./parts.mjs#unversioned] }',
      /expected what defineDetector/,
    ],
    [
      'the name of a built-in detector',
      'parts: { detectors: [./parts.mjs#twice] }',
      "spec.yaml: parts.detectors: 'sequence' is already taken; expected a unique name",
    ],
    [
      'the name of a built-in rung',
      'parts: { rungs: [./parts.mjs#retry] }',
      "spec.yaml: parts.rungs: 'retry' is already taken; expected a unique name",
    ],
    [
      'an unknown rung',
      'parts: { rungs: [./parts.mjs#handover] }\nescape: { ladder: [handower, stop] }',
      "spec.yaml: escape.ladder[0]: unknown rung 'handower'; did you mean 'handover'?",
    ],
    [
      'an unknown detector',
      'parts: { detectors: [./parts.mjs#third] }\ndetect: { thurd: false }',
      "spec.yaml: detect.thurd: is unknown; did you mean 'third'?",
    ],
  ])('%s', async (_, rest, message) => {
    expect(await wrongWith(rest)).toMatch(message)
  })

  test('rejects unknown names at once when the spec loads no modules', async () => {
    const { file } = await folderOf('detect: { third: false }\nescape: { ladder: [handover] }\n')
    const { faults = [] } = await loadSpec(file)
    expect(
      faults.map(fault =>
        faultText({ ...fault, file: relative(file, fault.file) || 'spec' }).replace(
          /^spec:\d+:\d+: /,
          '',
        ),
      ),
    ).toEqual([
      expect.stringMatching(/^detect\.third: is unknown; expected one of: /),
      expect.stringMatching(
        /^escape\.ladder\[0\]: unknown rung 'handover'; expected one of: retry, /,
      ),
    ])
  })

  test('a spec without parts loads none', async () => {
    const { file } = await folderOf('')
    const loaded = await loadSpec(file)
    expect(loaded.spec && (await loadParts(loaded)).own).toEqual({ detectors: [], rungs: [] })
  })

  test('a part must have a name and a version', () => {
    expect(() =>
      defineDetector({
        name: 'a b',
        version: 1,
        start: 0,
        sees: [],
        observe: state => [state, undefined],
      }),
    ).toThrow('a detector needs a name')
    expect(() => defineRung({ name: 'handover', version: 0, choose: () => 'never' })).toThrow(
      "the rung 'handover' needs a version: a whole number from 1, not 0",
    )
    expect(() => defineClassifier({ name: 'x', version: 1.5, classify: () => undefined })).toThrow(
      "the classifier 'x' needs a version",
    )
  })
})
