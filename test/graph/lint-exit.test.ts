import { describe, expect, it } from 'vitest'
import { found, foundOf, linted } from './linted.ts'

describe('cycle-without-exit', () => {
  it('reports a cycle without an outgoing edge', () => {
    const text = 'nodes: { A: { use: pass, on: { done: B } }, B: { use: pass, on: { done: A } } }'
    expect(found(text)).toEqual(['error cycle-without-exit nodes.A'])
    expect(linted(text)[0]?.message).toContain('the cycle A → B → A')
  })

  it('counts the expiry of a question as a way out', () => {
    const text = `
nodes:
  A: { use: human, question: Q, deadline: 1h, on: { human.approved: B, human.rejected: B, human.expired: E } }
  B: { use: pass, on: { done: A } }
  E: { final: success }`
    expect(found(text)).not.toContain('error cycle-without-exit nodes.A')
  })

  it('reports a node that leads only to itself', () => {
    expect(found('nodes: { A: { use: ./a.ts#a, on: { done: A } } }')).toEqual([
      'error cycle-without-exit nodes.A',
    ])
  })

  it('reports each cycle that leads only to another one', () => {
    const text = `
nodes:
  A: { use: pass, on: { done: B } }
  B: { use: ./b.ts#b, on: { done: A, done.on: C } }
  C: { use: pass, on: { done: D } }
  D: { use: pass, on: { done: C } }`
    expect(found(text)).toEqual([
      'error cycle-without-exit nodes.A',
      'error cycle-without-exit nodes.C',
    ])
  })

  it.each([
    ['a label', 'B: { use: ./b.ts#b, on: { done: A, done.enough: E } }', ''],
    ['a failure', 'B: { use: ./b.ts#b, on: { done: A, error.persistent: E } }', ''],
    ['a loop edge', 'B: { use: pass, on: { done: A, loop: E } }', ''],
    ['a stall edge', 'B: { use: pass, on: { done: A, stall: E } }', ''],
    ['an alternative', 'B: { use: pass, on: { done: A } }', 'escape: { alternatives: { A: [E] } }'],
    [
      'a person in the cycle',
      'B: { use: human, question: q, deadline: 1h, on: { human.approved: A, human.rejected: E, human.expired: E } }',
      '',
    ],
  ])('accepts an exit by %s', (_, node, rest) => {
    expect(
      found(
        `nodes:\n  A: { use: pass, on: { done: B } }\n  ${node}\n  E: { final: success }\n${rest}`,
      ),
    ).toEqual([])
  })

  it.each([
    ['a cancellation', 'B: { use: pass, on: { done: A, cancelled: E } }', ''],
    ['a failure its node cannot have', 'B: { use: pass, on: { done: A, error.transient: E } }', ''],
    ['an answer without a question', 'B: { use: pass, on: { done: A, human.rejected: E } }', ''],
    ['a label nothing gives', 'B: { use: pass, on: { done: A, done.enough: E } }', ''],
    [
      'a loop edge on a ladder without alternatives',
      'B: { use: pass, on: { done: A, loop: E } }',
      'escape: { ladder: [retry, stop] }',
    ],
    [
      'alternatives without a budget',
      'B: { use: pass, on: { done: A } }',
      'escape: { alternatives: { A: [E] }, budget: { alternative: { perLoop: 0 } } }',
    ],
  ])('reports a cycle despite %s', (_, node, rest) => {
    expect(
      foundOf(
        'cycle-without-exit',
        `nodes:\n  A: { use: pass, on: { done: B } }\n  ${node}\n  E: { final: success }\n${rest}`,
      ),
    ).toEqual(['error cycle-without-exit nodes.A'])
  })

  it('is a warning if a person can be asked and has a target to continue at', () => {
    const asked =
      'nodes: { A: { use: pass, on: { done: A, cancelled: D } }, D: { use: pass, on: { done: E } }, E: { final: success } }\nescape: { review: { deadline: 1h } }'
    expect(found(asked)).toEqual(['warning cycle-without-exit nodes.A'])
    expect(
      found('nodes: { A: { use: pass, on: { done: A } } }\nescape: { review: { deadline: 1h } }'),
    ).toEqual(['error cycle-without-exit nodes.A'])
    expect(
      foundOf('cycle-without-exit', asked.replace('escape: {', 'escape: { ladder: [stop],')),
    ).toEqual(['error cycle-without-exit nodes.A'])
  })
})

describe('cycle-without-exit for a tool that is down', () => {
  const cycle = (b: string, rest = '') => `
nodes:
  A: { use: ./a.ts#a, on: { done: B, done.enough: E } }
  B: ${b}
  E: { final: success }
tools: { t: { use: flaky } }
${rest}`

  it('reports a node of the cycle without an edge for the failure', () => {
    const text = cycle('{ use: tool, tool: t, on: { done: A } }')
    expect(found(text)).toEqual(['error cycle-without-exit nodes.B'])
    expect(linted(text)[0]?.message).toBe(
      "if tool 't' fails permanently, the cycle A → B → A has no path to a final node: 'B' has no edge for it, and escapes can only stop it; name an edge for `error` that leads out, or a target in escape.alternatives.B",
    )
  })

  it.each([
    ['an error edge out', '{ use: tool, tool: t, on: { done: A, error: E } }', ''],
    [
      'an error edge back to where the cycle is left',
      '{ use: tool, tool: t, on: { done: A, error.persistent: A } }',
      '',
    ],
    [
      'an alternative',
      '{ use: tool, tool: t, on: { done: A } }',
      'escape: { alternatives: { B: [E] } }',
    ],
    [
      'a model that receives a lesson',
      '{ use: model, model: m, tools: [t], on: { done: A } }',
      'models: { m: { id: m } }',
    ],
    ['the calls of a model', '{ use: tools, on: { done: A } }', ''],
  ])('accepts %s', (_, node, rest) => {
    expect(foundOf('cycle-without-exit', cycle(node, rest))).toEqual([])
  })

  it.each([
    [
      'a loop edge, which a failure without an edge does not take',
      '{ use: tool, tool: t, on: { done: A, loop: E } }',
    ],
    [
      'an open breaker, which the first failure does not meet',
      '{ use: tool, tool: t, on: { done: A, breaker.open: E } }',
    ],
    ['a timeout', '{ use: tool, tool: t, on: { done: A, timeout: E } }'],
    ['a failure that leads back to itself', '{ use: tool, tool: t, on: { done: A, error: B } }'],
  ])('reports %s', (_, node) => {
    expect(foundOf('cycle-without-exit', cycle(node))).toEqual(['error cycle-without-exit nodes.B'])
  })

  it('accepts a loop edge if the failures themselves repeat', () => {
    expect(
      foundOf(
        'cycle-without-exit',
        cycle('{ use: tool, tool: t, on: { done: A, error: B, loop: E } }'),
      ),
    ).toEqual([])
  })

  it('also checks the path from the cycle to the end', () => {
    const text = `
nodes:
  A: { use: ./a.ts#a, on: { done: A, done.enough: B } }
  B: { use: tool, tool: t, on: { done: E } }
  E: { final: success }
tools: { t: { use: flaky } }`
    expect(found(text)).toEqual(['error cycle-without-exit nodes.B'])
  })

  it('assumes that all nodes of the tool fail together', () => {
    const text = `
nodes:
  A: { use: pass, on: { done: B } }
  B: { use: tool, tool: t, on: { done: A, error: C } }
  C: { use: tool, tool: t, on: { done: E, error: B } }
  E: { final: success }
tools: { t: { use: flaky }, u: { use: flaky } }`
    expect(foundOf('cycle-without-exit', text)).toEqual([
      'error cycle-without-exit nodes.B',
      'error cycle-without-exit nodes.C',
    ])
    expect(
      foundOf(
        'cycle-without-exit',
        text.replace('C: { use: tool, tool: t', 'C: { use: tool, tool: u'),
      ),
    ).toEqual(['error cycle-without-exit nodes.C'])
  })

  it('is a warning if a person can still continue the run', () => {
    expect(
      found(
        cycle('{ use: tool, tool: t, on: { done: A } }', 'escape: { review: { deadline: 1h } }'),
      ),
    ).toEqual(['warning cycle-without-exit nodes.B'])
  })
})

describe('alternative-in-loop', () => {
  const loops = (alternatives: string, c = '{ use: pass, on: { done: A, error: E } }') => `
nodes:
  A: { use: ./a.ts#a, on: { done: B } }
  B: { use: ./b.ts#b, on: { done: C, done.over: E } }
  C: ${c}
  D: { use: pass, on: { done: A } }
  E: { final: success }
escape: { alternatives: ${alternatives} }`

  it('warns of a target on every loop of its state that is not nearer to an exit', () => {
    expect(foundOf('alternative-in-loop', loops('{ B: [A, D] }'))).toEqual([
      'error alternative-in-loop escape.alternatives.B[0]',
      'warning alternative-in-loop escape.alternatives.B[1]',
    ])
  })

  it('accepts a target nearer to an exit', () => {
    expect(foundOf('alternative-in-loop', loops('{ C: [B] }'))).toEqual([])
  })

  it('warns of a loop edge to a node of the same loop, which the ladder never takes', () => {
    expect(
      foundOf('alternative-in-loop', loops('{}', '{ use: pass, on: { done: A, loop: B } }')),
    ).toEqual(['error alternative-in-loop nodes.C.on.loop'])
  })

  it('accepts the own edges of a node, of which the ladder takes none in the loop', () => {
    const text = loops('{}').replace('alternatives: {}', 'explore: [B, C]')
    expect(foundOf('alternative-in-loop', text)).toEqual([])
  })

  it('accepts a target that decides again before it leads back', () => {
    const text = loops('{ B: [D] }').replace('D: { use: pass', 'D: { use: ./replan.ts#replan')
    expect(foundOf('alternative-in-loop', text)).toEqual([])
  })

  it('is a warning if the target leads from a small loop into the large one', () => {
    const text = `
nodes:
  A: { use: ./plan.ts#plan, on: { done: B } }
  B: { use: ./act.ts#act, on: { done: C } }
  C: { use: ./check.ts#check, on: { done.again: B, done.replan: A, done.over: E } }
  E: { final: success }
escape: { alternatives: { C: [A] } }`
    expect(found(text)).toEqual(['warning alternative-in-loop escape.alternatives.C[0]'])
  })
})
