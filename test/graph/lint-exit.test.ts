import { describe, expect, it } from 'vitest'
import { found, foundOf, linted } from './linted.ts'

describe('cycle-without-exit', () => {
  it('is a cycle no edge leads out of', () => {
    const text = 'nodes: { A: { use: pass, on: { done: B } }, B: { use: pass, on: { done: A } } }'
    expect(found(text)).toEqual(['error cycle-without-exit nodes.A'])
    expect(linted(text)[0]?.message).toContain('the cycle A → B → A')
  })

  it('is a node that leads to itself alone', () => {
    expect(found('nodes: { A: { use: ./a.ts#a, on: { done: A } } }')).toEqual([
      'error cycle-without-exit nodes.A',
    ])
  })

  it('is every cycle that leads only to another one', () => {
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
  ])('is left by %s', (_, node, rest) => {
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
  ])('is not left by %s', (_, node, rest) => {
    expect(
      foundOf(
        'cycle-without-exit',
        `nodes:\n  A: { use: pass, on: { done: B } }\n  ${node}\n  E: { final: success }\n${rest}`,
      ),
    ).toEqual(['error cycle-without-exit nodes.A'])
  })

  it('is a warning where a person can be asked, and has somewhere to lead to', () => {
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

describe('cycle-without-exit, when a tool is down', () => {
  const cycle = (b: string, rest = '') => `
nodes:
  A: { use: ./a.ts#a, on: { done: B, done.enough: E } }
  B: ${b}
  E: { final: success }
tools: { t: { use: flaky } }
${rest}`

  it('is a node of the cycle that has no edge for the failure', () => {
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
  ])('is survived by %s', (_, node, rest) => {
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
  ])('is not survived by %s', (_, node) => {
    expect(foundOf('cycle-without-exit', cycle(node))).toEqual(['error cycle-without-exit nodes.B'])
  })

  it('is survived by a loop edge, once the failures themselves go round', () => {
    expect(
      foundOf(
        'cycle-without-exit',
        cycle('{ use: tool, tool: t, on: { done: A, error: B, loop: E } }'),
      ),
    ).toEqual([])
  })

  it('looks at the way from the cycle to the end, too', () => {
    const text = `
nodes:
  A: { use: ./a.ts#a, on: { done: A, done.enough: B } }
  B: { use: tool, tool: t, on: { done: E } }
  E: { final: success }
tools: { t: { use: flaky } }`
    expect(found(text)).toEqual(['error cycle-without-exit nodes.B'])
  })

  it('takes all nodes of the tool to fail together', () => {
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

  it('is a warning where a person can still lead on', () => {
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

  it('is not a target from which the exit is nearer', () => {
    expect(foundOf('alternative-in-loop', loops('{ C: [B] }'))).toEqual([])
  })

  it('is a loop edge to a node of the same loop, because the ladder never takes it', () => {
    expect(
      foundOf('alternative-in-loop', loops('{}', '{ use: pass, on: { done: A, loop: B } }')),
    ).toEqual(['error alternative-in-loop nodes.C.on.loop'])
  })

  it('accepts a target that decides again before it leads back', () => {
    const text = loops('{ B: [D] }').replace('D: { use: pass', 'D: { use: ./replan.ts#replan')
    expect(foundOf('alternative-in-loop', text)).toEqual([])
  })

  it('is a warning where the target leads out of a small loop into the large one', () => {
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
