/** Regions in a spec: faults have a location, lint checks them, and drawings show them. */
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { machineOfSpec } from '../../src/core/graph/agent-machine.ts'
import { drawDot } from '../../src/core/graph/draw/dot.ts'
import { drawMermaid } from '../../src/core/graph/draw/mermaid.ts'
import { drawText } from '../../src/core/graph/draw/text.ts'
import { readSpec } from '../../src/core/graph/spec/read.ts'
import { found, foundOf, specOf } from './linted.ts'

/** A spec that starts in the set of regions S; `left` and `right` are their nodes, beside an end each. */
function twoRegions(
  left: string,
  { right = 'B: { use: pass, on: { done: over } }', on = 'done: E', more = '' } = {},
): string {
  return `
start: S
nodes:
  S:
    regions:
      left: { start: A, nodes: { ${left}, seen: { final: success } } }
      right: { start: B, nodes: { ${right}, over: { final: success } } }
    on: { ${on} }
  E: { final: success }
tools: { t: { use: flaky }, w: { use: flaky } }
${more}`
}

const SOUND = twoRegions('A: { use: pass, on: { done: seen } }')

function faultsOf(yaml: string): readonly string[] {
  const { faults = [] } = readSpec({ escapement: 1, id: 'test', ...(parse(yaml) as object) })
  return faults.map(({ path, message }) => `${path}: ${message}`)
}

describe('reading regions', () => {
  it('accepts two independent regions', () => {
    expect(faultsOf(SOUND)).toEqual([])
  })

  it.each([
    [
      'an edge into another region',
      twoRegions('A: { use: pass, on: { done: B } }'),
      "nodes.S.regions.left.nodes.A.on.done: 'B' is in another region (nodes.S.regions.right.nodes.B); expected one of: A, seen",
    ],
    [
      'an edge out of its region',
      twoRegions('A: { use: pass, on: { done: E } }'),
      "nodes.S.regions.left.nodes.A.on.done: 'E' is in another region (nodes.E); expected one of: A, seen",
    ],
    [
      'an edge into a region',
      `${SOUND.replace('E: {', 'X: { use: pass, on: { done: A } }\n  E: {')}`,
      "nodes.X.on.done: 'A' is in another region (nodes.S.regions.left.nodes.A); expected one of: S, X, E",
    ],
    [
      'an edge to nowhere',
      twoRegions('A: { use: pass, on: { done: seem } }'),
      "nodes.S.regions.left.nodes.A.on.done: unknown node 'seem'; expected one of: S, E, A, seen, B, over",
    ],
    [
      'a start that is not there',
      SOUND.replace('start: B', 'start: X'),
      "nodes.S.regions.right.start: unknown node 'X'; expected one of: S, E, A, seen, B, over",
    ],
    [
      'a start in another region',
      SOUND.replace('start: B', 'start: A'),
      "nodes.S.regions.right.start: 'A' is in another region (nodes.S.regions.left.nodes.A); expected one of: B, over",
    ],
    [
      'a start that is an end',
      SOUND.replace('start: B', 'start: over'),
      "nodes.S.regions.right.start: 'over' is final; expected a node that works",
    ],
    [
      'no start',
      SOUND.replace('start: B, ', ''),
      'nodes.S.regions.right.start: is missing; expected a name of letters, digits, _ and -, beginning with a letter',
    ],
    [
      'a name that is taken',
      twoRegions('A: { use: pass, on: { done: seen } }, E: { use: pass, on: { done: seen } }'),
      'nodes.S.regions.left.nodes.E: has the name of nodes.E; expected a name that is unique in the whole spec',
    ],
    [
      'a limit inside a region',
      twoRegions('A: { use: pass, on: { done: seen, budget: seen } }'),
      'nodes.S.regions.left.nodes.A.on.budget: concerns the whole thread, and leaves all regions; expected at nodes.S.on.budget',
    ],
    [
      'a cancellation inside a region',
      twoRegions('A: { use: pass, on: { done: seen, cancelled: seen } }'),
      'nodes.S.regions.left.nodes.A.on.cancelled: concerns the whole thread, and leaves all regions; expected at nodes.S.on.cancelled',
    ],
    [
      'an outcome no set of regions has',
      twoRegions('A: { use: pass, on: { done: seen } }', { on: 'done: E, error: E' }),
      'nodes.S.on.error: is unknown; expected one of: done, done.failed, budget, cancelled',
    ],
    [
      'nowhere to lead',
      twoRegions('A: { use: pass, on: { done: seen } }', { on: 'cancelled: E' }),
      'nodes.S.on.done: is missing; expected a name of letters, digits, _ and -, beginning with a letter',
    ],
    [
      'a node without edges',
      twoRegions('A: { use: pass }'),
      'nodes.S.regions.left.nodes.A.on: is missing; expected the targets of its outcomes',
    ],
    [
      'a way out to another region',
      twoRegions('A: { use: pass, on: { done: seen } }', {
        more: 'escape: { alternatives: { A: [B] } }',
      }),
      "escape.alternatives.A: 'B' is in another region (nodes.S.regions.right.nodes.B); expected one of: A, seen",
    ],
    [
      'a way out of the set',
      twoRegions('A: { use: pass, on: { done: seen } }', {
        more: 'escape: { alternatives: { S: [E] } }',
      }),
      "escape.alternatives.S: 'S' is a set of regions, which escape separately; expected a node that works",
    ],
    [
      'an unknown tool',
      twoRegions('A: { use: tool, tool: nothing, on: { done: seen } }'),
      "nodes.S.regions.left.nodes.A.tool: unknown tool 'nothing'; expected one of: t, w",
    ],
    [
      'a condition that is none',
      twoRegions("A: { use: pass, when: { x: '1 +' }, on: { done: seen } }"),
      expect.stringMatching(/^nodes\.S\.regions\.left\.nodes\.A\.when\.x: CEL: /),
    ],
    [
      'regions inside a region',
      twoRegions(
        'A: { regions: { x: { start: Z, nodes: { Z: { final: success } } } }, on: { done: seen } }',
      ),
      'nodes.S.regions.left.nodes.A.regions: is nested inside a region; expected one set of regions after another',
    ],
    [
      'no region',
      'start: S\nnodes: { S: { regions: {}, on: { done: E } }, E: { final: success } }',
      'nodes.S.regions: is empty; expected at least one region',
    ],
    [
      'a chart beside them',
      'machine: ./m.ts#m\nnodes: { S: { regions: { x: { start: Z, nodes: { Z: { use: pass, on: { done: Y } }, Y: { final: success } } } }, on: { done: S } } }',
      'nodes.S: has edges, regions or is final; beside `machine`, the statechart defines all edges',
    ],
  ])('%s', (_, yaml, fault) => {
    expect(faultsOf(yaml)).toContainEqual(fault)
  })
})

describe('linting regions', () => {
  it('accepts regions that can end and can leave their loops', () => {
    expect(found(SOUND.replace(/tools: .*/, ''))).toEqual([])
  })

  it('finds a region that can never end', () => {
    const round = twoRegions('A: { use: pass, on: { done: C } }, C: { use: pass, on: { done: A } }')
    expect(foundOf('endless-region', round)).toEqual(['error endless-region nodes.S.regions.left'])
    expect(foundOf('cycle-without-exit', round)).toEqual([
      'error cycle-without-exit nodes.S.regions.left.nodes.A',
    ])
    // The other region ends, and so would the set, if it were enough that one of them does.
    expect(foundOf('endless-region', round.replace('done: A }', 'done: A, loop: seen }'))).toEqual(
      [],
    )
  })

  it('finds a cycle inside a region that a dead tool never leaves', () => {
    const yaml = twoRegions(
      'A: { use: tool, tool: t, on: { done: C } }, C: { use: pass, when: { x: "true" }, on: { done: A, done.x: seen } }',
    )
    expect(foundOf('cycle-without-exit', yaml)).toEqual([
      'error cycle-without-exit nodes.S.regions.left.nodes.A',
    ])
  })

  it('finds a cycle through regions without an exit', () => {
    expect(
      foundOf(
        'cycle-without-exit',
        twoRegions('A: { use: pass, on: { done: seen } }', { on: 'done: S' }),
      ),
    ).toEqual(['error cycle-without-exit nodes.S'])
  })

  it('counts an edge for a failed region as a path to its target', () => {
    const yaml = twoRegions(
      'A: { use: tool, tool: t, on: { done: seen, error: bad } }, bad: { final: failure }',
      { on: 'done: E, done.failed: F' },
    ).replace('E: {', 'F: { final: failure }\n  E: {')
    expect(foundOf('unreachable', yaml)).toEqual([])
    expect(foundOf('unreachable', yaml.replace('error: bad', 'error: seen'))).toEqual([
      'error unreachable nodes.F',
      'error unreachable nodes.S.regions.left.nodes.bad',
    ])
  })

  it('warns of two regions that overwrite one another', () => {
    const yaml = twoRegions('A: { use: tool, tool: t, out: { n: . }, on: { done: seen } }', {
      right: 'B: { use: tool, tool: w, out: { n: . }, on: { done: over } }',
      more: 'channels: { n: { type: integer } }',
    })
    expect(foundOf('shared-channel', yaml)).toEqual([
      'warning shared-channel nodes.S.regions.right.nodes.B.out',
    ])
    expect(
      foundOf('shared-channel', yaml.replace('type: integer', 'type: integer, reducer: max')),
    ).toEqual([])
  })
})

describe('drawing regions', () => {
  const { chart } = machineOfSpec(
    specOf({
      ...(parse(
        twoRegions('A: { use: tool, tool: t, on: { done: A, loop: seen, error: seen } }'),
      ) as object),
      start: 'S',
    }),
  )

  it('as text: each with its edges, its escapes and its inner cycle', () => {
    expect(drawText(chart)).toContain(`
  S: all at once
    left: region, starts in left.working
      left.working: starts in A
        A ──done──▶ A
        A ··error.*··▶ seen
        A ~~escape alternative on loop~~▶ seen
      seen: final
    right: region, starts in right.working
      right.working: starts in B
        B ──done──▶ over
      over: final
    S ──done──▶ E
`)
    expect(drawText(chart)).toMatch(
      /cycle A ──done──▶ A\n {2}is left by\n {4}A ··error\.\*··▶ seen\n {4}A ~~escape alternative on loop~~▶ seen\n/,
    )
  })

  it('as Mermaid and as DOT: side by side inside their parent', () => {
    expect(drawMermaid(chart)).toMatch(
      /state S \{\n {6}state "left" as s_left \{[\s\S]*\n {6}--\n {6}state "right" as s_right \{/,
    )
    expect(drawDot(chart)).toMatch(
      /subgraph "cluster_S" \{[\s\S]*subgraph "cluster_S\.left"[\s\S]*subgraph "cluster_S\.right"/,
    )
  })
})
