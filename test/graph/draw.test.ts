import { describe, expect, it } from 'vitest'
import { type AnyStateMachine, createMachine } from 'xstate'
import { parse } from 'yaml'
import { machineOf, machineOfSpec } from '../../src/core/graph/agent-machine.ts'
import type { Chart } from '../../src/core/graph/chart.ts'
import { drawDot } from '../../src/core/graph/draw/dot.ts'
import { drawMermaid } from '../../src/core/graph/draw/mermaid.ts'
import { drawText } from '../../src/core/graph/draw/text.ts'
import { readSpec } from '../../src/core/graph/spec/read.ts'

function chartOfSpec(text: string): Chart {
  const read = readSpec({ escapement: 1, id: 'ring', start: 'A', ...(parse(text) as object) })
  if (read.faults) throw new Error(JSON.stringify(read.faults))
  return machineOfSpec(read.spec).chart
}

const chartOfMachine = (config: object): Chart =>
  machineOf(createMachine(config as never) as AnyStateMachine, { version: '1' }).chart
const lines = (text: string): readonly string[] => text.split('\n').map(line => line.trim())

const RING = chartOfSpec(`
nodes:
  A: { use: pass, on: { done: B } }
  B: { use: tool, tool: t, on: { done: C, error.transient: D, timeout: D } }
  C: { use: tool, tool: t, on: { done: A, loop: D, stall: E } }
  D: { use: human, question: What now?, on: { human.approved: A, human.rejected: E, human.expired: E } }
  E: { final: success }
tools: { t: { use: flaky } }
escape: { alternatives: { B: [D] }, review: { deadline: 1h } }
`)

const TEAM = chartOfMachine({
  id: 'team',
  initial: 'working',
  on: { cancelled: '.end' },
  states: {
    working: {
      type: 'parallel',
      on: {
        escape: [
          { guard: { type: 'route', params: { rung: 'stop' } }, target: 'end' },
          { target: '.left.idle' },
        ],
      },
      onDone: 'end',
      states: {
        left: {
          initial: 'idle',
          states: {
            idle: {
              entry: { type: 'invoke', params: { node: 'thinker' } },
              on: { done: 'busy', error: 'idle' },
            },
            busy: {
              tags: ['phase'],
              always: { guard: () => false, target: 'over' },
              on: { done: 'idle' },
            },
            over: { type: 'final' },
          },
        },
        right: {
          initial: 'idle',
          on: {
            escape: { guard: { type: 'route', params: { rung: 'alternative' } }, target: '.out' },
          },
          states: {
            idle: { entry: { type: 'wait', params: { for: 10 } }, on: { done: 'deep' } },
            deep: {
              initial: 'inner',
              states: { inner: { on: { done: '#team.working.right.out' } } },
            },
            out: { type: 'final' },
          },
        },
      },
    },
    end: { type: 'final', tags: ['failure'] },
  },
})

describe('a chart', () => {
  it('has the rung of an escape edge, and the states from which its alternatives apply', () => {
    const escapes = RING.edges.filter(
      ({ kind, source, from }) =>
        kind === 'escape' && source === 'ring.working' && from?.length !== 0,
    )
    expect(escapes.map(({ rung, target, from }) => ({ rung, target, from }))).toEqual([
      { rung: 'alternative', target: 'D', from: [{ state: 'B' }, { state: 'C', on: 'loop' }] },
      { rung: 'alternative', target: 'E', from: [{ state: 'C', on: 'stall' }] },
      { rung: 'review', target: 'review', from: undefined },
      { rung: 'stop', target: 'stopped', from: undefined },
    ])
  })

  it('has the rung of a combined guard of regions', () => {
    expect(TEAM.edges.find(({ source }) => source === 'team.working.right')).toMatchObject({
      kind: 'escape',
      rung: 'alternative',
    })
  })

  it('draws the initial state of each region and the edges without an event', () => {
    expect(TEAM.states.flatMap(({ id, initial }) => (initial ? [[id, initial]] : []))).toEqual([
      ['team.working.left', 'team.working.left.idle'],
      ['team.working.right', 'team.working.right.idle'],
      ['team.working.right.deep', 'team.working.right.deep.inner'],
    ])
    expect(TEAM.edges.find(({ event }) => event === 'always')).toMatchObject({
      id: 'team.working.left.busy:always>over',
      target: 'team.working.left.over',
    })
  })
})

describe('as text', () => {
  it('shows the cycle of a graph and all of its exits', () => {
    expect(drawText(RING)).toBe(`ring: starts in A

working: starts in A
  A ──done──▶ B
  B ──done──▶ C
  B ··error.transient, timeout··▶ D
  B ~~escape alternative~~▶ D
  C ──done──▶ A
  C ~~escape alternative on loop~~▶ D
  C ~~escape alternative on stall~~▶ E
  D: asks a person
    D ──human.approved──▶ A
    D ──human.rejected──▶ E
    D ··human.expired··▶ E
  working ──cancelled──▶ cancelled
  working ~~escape review~~▶ review
  working ~~escape stop~~▶ stopped
review: asks a person
  review ──human.approved──▶ any state of working
  review ──human.approved──▶ E
  review ──human.rejected──▶ stopped
  review ──cancelled──▶ cancelled
  review ··human.expired··▶ any state of working
  review ··human.expired··▶ stopped
  review ~~escape stop~~▶ stopped
stopped: final
cancelled: final
E: final

cycle A ──done──▶ B ──done──▶ C ──done──▶ A
      D ──human.approved──▶ A ──done──▶ B ··error.transient, timeout··▶ D
  is left by
    C ~~escape alternative on stall~~▶ E
    D ──human.rejected──▶ E
    D ··human.expired··▶ E
    working ──cancelled──▶ cancelled
    working ~~escape review~~▶ review
    working ~~escape stop~~▶ stopped
`)
  })

  it('shows nested states and regions of a statechart', () => {
    expect(drawText(TEAM)).toBe(`team: starts in working

working: all at once
  left: region, starts in left.idle
    left.idle: invokes thinker
      left.idle ──done──▶ busy
      left.idle ··error··▶ left.idle
    busy: phase
      busy ──done──▶ left.idle
      busy ──always──▶ over
    over: final
  right: region, starts in right.idle
    right.idle: waits
      right.idle ──done──▶ deep
    deep: starts in inner
      inner ──done──▶ out
    out: final
    right ~~escape alternative~~▶ out
  working ──onDone──▶ end
  working ~~escape stop~~▶ end
  working ~~escape~~▶ left.idle
end: final, failure
team ──cancelled──▶ end

cycle left.idle ──done──▶ busy ──done──▶ left.idle
      left.idle ··error··▶ left.idle
  is left by
    busy ──always──▶ over
    team ──cancelled──▶ end
    working ~~escape stop~~▶ end
`)
  })

  it('omits routes that the policy never takes: alternatives off the ladder, and a review without a reviewer', () => {
    const nodes =
      'nodes: { A: { use: pass, on: { done: A, loop: B } }, B: { use: pass, on: { done: E } }, E: { final: success } }'
    expect(
      drawText(chartOfSpec(`${nodes}\nescape: { ladder: [stop], review: { deadline: 1h } }`)),
    ).toBe(`ring: starts in A

working: starts in A
  A ──done──▶ A
  B ──done──▶ E
  working ──cancelled──▶ cancelled
  working ~~escape stop~~▶ stopped
stopped: final
cancelled: final
E: final

cycle A ──done──▶ A
  is left by
    working ──cancelled──▶ cancelled
    working ~~escape stop~~▶ stopped
`)
  })

  it('marks a cycle without an exit', () => {
    const chart = chartOfMachine({
      id: 'mill',
      initial: 'a',
      states: { a: { on: { done: 'b' } }, b: { on: { done: 'a' } } },
    })
    expect(drawText(chart)).toBe(`mill: starts in a

a ──done──▶ b
b ──done──▶ a

cycle a ──done──▶ b ──done──▶ a
  is never left
`)
  })

  it('distinguishes a state from a machine of the same name', () => {
    const chart = chartOfMachine({
      id: 'a',
      initial: 'go',
      states: { go: { id: 'a', on: { done: 'end' } }, end: { type: 'final' } },
    })
    expect(drawText(chart)).toBe('a: starts in a\n\na ──done──▶ end\nend: final\n')
  })

  it('shows a machine with several initial states', () => {
    const region = { initial: 'on', states: { on: {} } }
    expect(
      drawText(chartOfMachine({ id: 'both', type: 'parallel', states: { l: region, r: region } })),
    ).toBe(`both: all at once

l: region, starts in l.on
  l.on
r: region, starts in r.on
  r.on
`)
  })
})

describe('as Mermaid', () => {
  it('puts the nodes of a graph into `working`, and marks failures and escapes on their labels', () => {
    expect(drawMermaid(RING)).toBe(`stateDiagram-v2
  [*] --> working
  state working {
    [*] --> A
    A
    B
    C
    D
    A --> B : done
    B --> C : done
    C --> A : done
    D --> A : human.approved
    B --> D : ✗ error.transient, timeout
    B --> D : ⤳ escape alternative
    C --> D : ⤳ escape alternative on loop
  }
  review
  stopped
  stopped --> [*]
  cancelled
  cancelled --> [*]
  E
  E --> [*]
  working --> cancelled : cancelled
  D --> E : human.rejected
  review --> working : human.approved (any)
  review --> E : human.approved
  review --> stopped : human.rejected
  review --> cancelled : cancelled
  D --> E : ✗ human.expired
  review --> working : ✗ human.expired (any)
  review --> stopped : ✗ human.expired
  C --> E : ⤳ escape alternative on stall
  working --> review : ⤳ escape review
  working --> stopped : ⤳ escape stop
  review --> stopped : ⤳ escape stop
`)
  })

  it('divides regions, renames reserved words, and never draws an edge from a box into itself', () => {
    const drawn = lines(drawMermaid(TEAM))
    expect(drawn).toContain('--')
    expect(drawn).toContain('state "left" as s_left {')
    expect(drawn).toContain('state "left.idle" as left_idle')
    expect(drawn).toContain('state "from any state of right" as s_right_any')
    expect(drawn).toContain('s_right_any --> out : ⤳ escape alternative')
    expect(drawn).toContain('working_any --> left_idle : ⤳ escape')
    expect(drawn).toContain('team_any --> s_end : cancelled')
  })

  it('escapes label delimiters', () => {
    const chart = chartOfMachine({
      id: 'odd',
      initial: 'a b',
      states: { 'a b': { on: { 'x: "y";': 'a_b' } }, a_b: {} },
    })
    expect(lines(drawMermaid(chart))).toEqual([
      'stateDiagram-v2',
      '[*] --> a_b',
      'state "a b" as a_b',
      'state "a_b" as a_b_2',
      'a_b --> a_b_2 : x   y',
      '',
    ])
  })
})

describe('as DOT', () => {
  it('draws an edge from inside a box to the box as an edge to its initial state', () => {
    const states = { one: { on: { next: 'two' } }, two: { on: { again: '#m.box' } } }
    const box = { id: 'm.box', initial: 'one', states }
    const chart = chartOfMachine({ id: 'm', initial: 'box', states: { box } })
    expect(lines(drawDot(chart))).toContain(
      '"m.box.two" -> "m.box.one" [label="again", style=solid]',
    )
  })

  const drawn = lines(drawDot(RING))

  it('draws outcomes solid, failures dashed and escapes dotted', () => {
    expect(drawn).toContain('"A" -> "B" [label="done", style=solid]')
    expect(
      drawn.find(line => line.startsWith('"B" -> "D" [label="error.transient, timeout"')),
    ).toContain('style=dashed')
    expect(
      drawn.find(line => line.startsWith('"C" -> "D" [label="escape alternative on loop"')),
    ).toContain('style=dotted')
  })

  it('draws `working` as a cluster, and its arrows from the edge of it', () => {
    expect(drawn).toContain('subgraph "cluster_ring.working" {')
    expect(drawn.find(line => line.includes('escape review'))).toContain(
      'ltail="cluster_ring.working"',
    )
    expect(drawn.find(line => line.includes('human.approved (any)'))).toContain(
      'lhead="cluster_ring.working"',
    )
  })

  it('marks final states with a ring, and the initial state with an arrow', () => {
    expect(drawn).toContain('"E" [label="E", peripheries=2]')
    expect(drawn).toContain('"start of ring" -> "A"')
  })

  it('escapes quotes', () => {
    expect(
      drawDot(
        chartOfMachine({ id: 'q', initial: 'a', states: { a: { on: { 'say "x"': 'b' } }, b: {} } }),
      ),
    ).toContain('"q.a" -> "q.b" [label="say \\"x\\"", style=solid]')
  })

  it('starts an arrow into its own box at a point inside it', () => {
    expect(lines(drawDot(TEAM))).toContain(
      '"any of team.working.right" [label="from any state", shape=plaintext]',
    )
  })
})
