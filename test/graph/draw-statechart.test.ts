/** `draw --as xstate` and `--as scxml`: other programs read the files, and reach the same states. */
import { writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { type AnyMachineSnapshot, type AnyStateMachine, createMachine } from 'xstate'
import { initialTransition, setup, transition } from 'xstate'
import { parse } from 'yaml'
import { machineOf, machineOfSpec } from '../../src/core/graph/agent-machine.ts'
import { drawScxml } from '../../src/core/graph/draw/scxml.ts'
import { drawXState } from '../../src/core/graph/draw/xstate.ts'
import type { Machine, MachineEvent, Snapshot } from '../../src/core/graph/machine.ts'
import { readSpec } from '../../src/core/graph/spec/read.ts'
import { loadGraph } from '../../src/host/drive/load.ts'
import { newDesks } from '../cli/desk.ts'
import { newFolders } from '../durability/folders.ts'
import { anySpec } from './any-spec.ts'
import { leavesOf, walksOf } from './statechart.ts'

const RING = resolve('graphs/ring.yaml')
const newFolder = newFolders()
const newDesk = newDesks()

/** Runs the module as a user does, from a file beside which XState is installed. */
async function importText(text: string): Promise<AnyStateMachine> {
  const file = join(newFolder(), 'drawn.mjs')
  const installed = import.meta.resolve('xstate')
  writeFileSync(file, text.replace("'xstate'", JSON.stringify(installed)))
  return (await import(/* @vite-ignore */ pathToFileURL(file).href)).machine
}

const REGIONS = machineOfSpec(
  (
    readSpec({
      escapement: 1,
      id: 'regions',
      ...(parse(`
start: S
channels: { x: { type: string, default: a }, log: { type: array, reducer: append } }
nodes:
  S:
    regions:
      left: { start: A, nodes: { A: { use: pass, on: { done: seen, 'done.again': A } }, seen: { final: success } } }
      right: { start: B, nodes: { B: { use: human, question: 'Is it <"so"> & not?', deadline: 1h, on: { human.approved: over, human.rejected: lost, human.expired: lost } }, over: { final: success }, lost: { final: failure } } }
    on: { done: E, done.failed: F }
  E: { final: success }
  F: { final: failure }
escape: { alternatives: { A: [A] }, review: { deadline: 1h } }
`) as object),
    }) as { spec: never }
  ).spec,
)

const files = [
  'ring',
  'agent',
  'approval',
  'incident',
  'lecture',
  'release',
  'services',
  'supervisor',
]
const shipped = await Promise.all(
  files.map(async name => [name, (await loadGraph(`graphs/${name}.yaml`)).machine] as const),
)
const machines: readonly (readonly [string, Machine])[] = [...shipped, ['regions', REGIONS]]

/** The value and the status after each event. */
function statesOf(machine: Machine, walk: readonly MachineEvent[]) {
  let { snapshot } = machine.start({})
  return walk.map(event => {
    snapshot = machine.step(snapshot, event).snapshot
    return [snapshot.value, snapshot.status]
  })
}

function drawnStates(drawn: AnyStateMachine, walk: readonly MachineEvent[]) {
  let snapshot: AnyMachineSnapshot = initialTransition(drawn, {})[0]
  return walk.map(event => {
    snapshot = transition(drawn, snapshot, event)[0]
    return [snapshot.value, snapshot.status]
  })
}

describe('as a module for XState', () => {
  it.each(machines)(
    '%s: createMachine reads it, and it reaches the same states',
    async (_, machine) => {
      const drawn = await importText(drawXState(machine.config))
      expect(drawn.id).toBe(machine.chart.id)
      fc.assert(
        fc.property(walksOf(machine.chart), walk => {
          expect(drawnStates(drawn, walk)).toEqual(statesOf(machine, walk))
        }),
      )
    },
  )

  it('writes channels as the runtime does', async () => {
    const drawn = await importText(drawXState(REGIONS.config))
    const [snapshot] = initialTransition(drawn, { x: 'b' })
    expect(snapshot.context).toMatchObject({ x: 'b' })
  })

  test('any spec reaches the same states', async () => {
    await fc.assert(
      fc.asyncProperty(anySpec, fc.infiniteStream(fc.nat()), async (spec, picks) => {
        const machine = machineOfSpec(spec)
        const drawn = await importText(drawXState(machine.config))
        const [walk = []] = fc.sample(walksOf(machine.chart), {
          numRuns: 1,
          seed: picks.next().value,
        })
        expect(drawnStates(drawn, walk)).toEqual(statesOf(machine, walk))
      }),
      { numRuns: 50 },
    )
  })

  it('names the actions and guards of a hand-written statechart, without their code', async () => {
    const source = setup({
      actions: { invoke: () => {}, count: () => {} },
      guards: { many: () => false },
    }).createMachine({
      id: 'own',
      initial: 'a',
      states: {
        a: {
          entry: { type: 'invoke', params: { node: "it's" } } as never,
          exit: 'count',
          on: {
            done: [
              { guard: 'many', target: 'b' },
              { actions: function note() {}, target: 'b' },
            ],
          },
        },
        b: { type: 'final' },
      },
    }) as unknown as AnyStateMachine
    const text = drawXState(machineOf(source, { version: '1' }).config)
    expect(text).toContain("params: { node: 'it\\'s' }")
    expect(text).toContain('many: () => true')
    expect(text).toContain('note: () => {}')
    expect((await importText(text)).id).toBe('own')
  })

  it('is what `escapement draw --as xstate` prints', async () => {
    const { out, code } = await newDesk().type('draw', RING, '--as', 'xstate')
    expect(code).toBe(0)
    expect(out).toBe(drawXState((await loadGraph(RING)).machine.config))
  })
})

/** XState 6 reads SCXML. */
const load = (name: string) => import(/* @vite-ignore */ name).catch(() => undefined)
const [next, reader] = [await load('xstate6'), await load('xstate6/scxml')]

/** The runtime tries `done` after `done.label`. In SCXML, a descriptor matches by prefix. */
function expectedOf(machine: Machine, snapshot: Snapshot, event: MachineEvent): MachineEvent {
  const whole = { ...event, type: event.type.split('.')[0] ?? '' }
  return [event, whole].find(candidate => machine.can(snapshot, candidate)) ?? event
}

describe.skipIf(reader === undefined)('as SCXML', () => {
  const stringsIn = (value: unknown): readonly string[] =>
    typeof value === 'string' ? [value] : Object.values(value as object).flatMap(stringsIn)

  it.each(machines)(
    '%s: the reader of XState 6 takes it, and reaches the same states',
    (_, machine) => {
      const read = reader.createMachineFromSCXML(drawScxml(machine.config))
      fc.assert(
        fc.property(walksOf(machine.chart), walk => {
          let ours = machine.start({}).snapshot
          let [theirs] = next.initialTransition(read)
          for (const event of walk) {
            ours = machine.step(ours, expectedOf(machine, ours, event)).snapshot
            const type = event.type.replace(/^error\b/, 'failure')
            theirs = next.transition(read, theirs, { ...event, type })[0]
            const leaves = leavesOf(machine, ours).map(id => id.replaceAll('.', '_'))
            expect(stringsIn(theirs.value).toSorted()).toEqual(leaves.toSorted())
          }
        }),
        { numRuns: 50 },
      )
    },
  )

  it('escapes text, and gives every state an id that XML allows', () => {
    const source = createMachine({
      id: 'own',
      initial: '1 a',
      on: { stop: '.b' },
      states: { '1 a': { on: { 'go & "run"': 'b' } }, b: { type: 'final' } },
    }) as AnyStateMachine
    const text = drawScxml(machineOf(source, { version: '1' }).config)
    expect(text).toContain('event="go &amp; &quot;run&quot;"')
    expect(text).toContain('id="own_1_a"')
    const read = reader.createMachineFromSCXML(text)
    expect(stringsIn(next.initialTransition(read)[0].value)).toEqual(['own_1_a'])
  })

  it('is what `escapement draw --as scxml` prints', async () => {
    const { out } = await newDesk().type('draw', RING, '--as', 'scxml')
    expect(out).toBe(drawScxml((await loadGraph(RING)).machine.config))
  })
})
