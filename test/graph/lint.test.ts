import { describe, expect, it } from 'vitest'
import { found, foundOf, linted } from './linted.ts'

const RING = `
nodes:
  A: { use: pass, on: { done: B } }
  B: { use: tool, tool: toolB, on: { done: C, error: D } }
  C: { use: tool, tool: toolC, on: { done: A, loop: D } }
  D: { use: pass, on: { done: E } }
  E: { final: success }
tools: { toolB: { use: flaky }, toolC: { use: flaky } }
escape: { alternatives: { C: [D] } }
`

it('accepts a ring with an exit for each failure', () => {
  expect(found(RING)).toEqual([])
})

describe('unreachable', () => {
  it('reports every node that cannot be reached from the start, including islands', () => {
    const text = `
nodes:
  A: { use: pass, on: { done: E } }
  X: { use: pass, on: { done: Y } }
  Y: { use: pass, on: { done: X, error: E } }
  E: { final: success }
  F: { final: failure }`
    expect(foundOf('unreachable', text)).toEqual([
      'error unreachable nodes.X',
      'error unreachable nodes.Y',
      'error unreachable nodes.F',
    ])
  })

  it('counts failures, findings and alternatives as paths', () => {
    const text = `
nodes:
  A: { use: tool, tool: t, on: { done: E, error.business: P, stall: Q } }
  P: { use: pass, on: { done: E } }
  Q: { use: pass, on: { done: E } }
  R: { use: pass, on: { done: E } }
  E: { final: success }
tools: { t: { use: flaky } }
escape: { alternatives: { A: [R] } }`
    expect(found(text)).toEqual([])
  })

  it('is a warning if a person who answers a review can continue there', () => {
    const text = `
nodes:
  A: { use: pass, on: { done: E } }
  X: { use: pass, on: { done: E } }
  E: { final: success }
  F: { final: failure }
escape: { review: { deadline: 1h } }`
    expect(foundOf('unreachable', text)).toEqual([
      'warning unreachable nodes.X',
      'error unreachable nodes.F',
    ])
  })
})

describe('dead-end', () => {
  it('reports a node without an edge for success, but not the nodes before it', () => {
    const text = `
nodes:
  A: { use: pass, on: { done: B } }
  B: { use: pass, on: { done: A, done.on: C }, when: { on: 'true' } }
  C: { use: tool, tool: t, on: { error: E } }
  E: { final: success }
  G: { use: pass, on: {} }
tools: { t: { use: flaky } }`
    expect(found(text)).toEqual([
      'error unreachable nodes.G',
      'error dead-end nodes.C.on',
      'error dead-end nodes.G.on',
    ])
  })

  it.each([
    ['model', 'A: { use: model, model: m, on: { done.command: B, done.anser: E } }', 'error'],
    ['tools', 'A: { use: tools, in: [messages], on: { done: B, done.complete: E } }', 'warning'],
  ])('reports an outcome that a %s node never has', (_, node, severity) => {
    const text = `
nodes:
  ${node}
  B: { use: pass, on: { done: E } }
  E: { final: success }
channels: { messages: {} }
models: { m: { id: m } }`
    const outcome = /done\.(anser|complete)/.exec(node)?.[0]
    expect(foundOf('when-without-edge', text)).toEqual([
      `${severity} when-without-edge nodes.A.on.${outcome}`,
    ])
  })

  it('reports a question without an edge for approval', () => {
    const text = `
nodes:
  A: { use: human, question: ok?, deadline: 1h, on: { done: E, human.expired: E } }
  E: { final: success }`
    expect(linted(text)[0]).toMatchObject({ rule: 'dead-end', path: 'nodes.A.on' })
    expect(linted(text)[0]?.message).toContain('never ends with `done`')
  })

  it('accepts a node that labels all its outcomes', () => {
    expect(
      found(
        'nodes: { A: { use: ./a.ts#a, on: { done.yes: E, done.no: A } }, E: { final: success } }',
      ),
    ).toEqual([])
  })
})

describe('human-without-deadline', () => {
  const question = (own: string, rest = '') => `
nodes:
  A: { use: human, question: go on?, ${own} }
  E: { final: success }
${rest}`

  it('reports a question without a deadline', () => {
    expect(found(question('on: { human.approved: E }'))).toEqual([
      'error human-without-deadline nodes.A.deadline',
    ])
  })

  it('is a warning if the deadline has no edge', () => {
    expect(found(question('deadline: 1h, on: { human.approved: E }'))).toEqual([
      'warning human-without-deadline nodes.A.on',
    ])
    expect(
      found(question('on: { human.approved: E }', 'escape: { review: { deadline: 1h } }')),
    ).toEqual(['warning human-without-deadline nodes.A.on'])
    expect(found(question('deadline: 1h, on: { human.approved: E, human.expired: E }'))).toEqual([])
  })
})

describe('irreversible-tool-on-retried-edge', () => {
  const RULE = 'irreversible-tool-on-retried-edge'
  const pay = (tool: string, on = '{ done: E, error: E }', rest = '') => `
nodes:
  A: { use: ./a.ts#a, on: { done: B } }
  B: { use: tool, tool: pay, on: ${on} }
  C: { use: pass, on: { done: B } }
  E: { final: success }
tools: { pay: { use: flaky, ${tool} } }
${rest}`

  it('is a warning if only the retry of the graph repeats the write', () => {
    expect(foundOf(RULE, pay('effects: write'))).toEqual([`warning ${RULE} tools.pay`])
    expect(foundOf(RULE, pay('effects: write', undefined, 'retry: { attempts: 1 }'))).toEqual([])
  })

  it('is an error if the settings of the tool repeat the write', () => {
    expect(
      foundOf(
        RULE,
        pay('effects: write, retry: { attempts: 2 }', undefined, 'retry: { attempts: 1 }'),
      ),
    ).toEqual([`error ${RULE} tools.pay.retry`])
  })

  it.each(['effects: read', 'effects: write, idempotent: true', 'effects: write, retry: 0'])(
    'accepts %s',
    tool => {
      expect(foundOf(RULE, pay(tool, '{ done: E, error: C }'))).toEqual(
        tool.includes('retry: 0') ? [`error ${RULE} nodes.B.on.error`] : [],
      )
    },
  )

  it('is an error if a failure leads straight back, and a warning with a check in between', () => {
    expect(
      foundOf(
        RULE,
        pay('effects: write, retry: 0', '{ done: E, timeout: B, error.persistent: A }'),
      ),
    ).toEqual([`error ${RULE} nodes.B.on.timeout`, `warning ${RULE} nodes.B.on.error.persistent`])
  })
})

describe('when-without-edge', () => {
  const labelled = (node: string) => `
channels: { x: { type: integer } }
nodes:
  A: { ${node} }
  E: { final: success }`

  it('reports a label without an edge', () => {
    expect(
      found(labelled("use: pass, when: { big: 'x > 3', small: 'x < 2' }, on: { done.big: E }")),
    ).toEqual(['error when-without-edge nodes.A.when.small'])
    expect(
      found(
        labelled("use: pass, when: { big: 'x > 3', small: 'x < 2' }, on: { done.big: E, done: E }"),
      ),
    ).toEqual([])
  })

  it('reports an edge with an unused label, unless the node may name its own outcome', () => {
    expect(
      foundOf('when-without-edge', labelled('use: pass, in: [x], on: { done: E, done.big: E }')),
    ).toEqual(['warning when-without-edge nodes.A.on.done.big'])
    expect(
      foundOf(
        'when-without-edge',
        labelled('use: ./a.ts#a, in: [x], on: { done: E, done.big: E }'),
      ),
    ).toEqual([])
  })

  it('warns of a label on a question, which nothing evaluates', () => {
    const text = labelled(
      "use: human, question: q, deadline: 1h, when: { big: 'x > 3' }, on: { human.approved: E, human.expired: E }",
    )
    expect(found(text)).toEqual(['warning when-without-edge nodes.A.when.big'])
  })
})

it('reports a limit of money that counts no calls of a model', () => {
  const text = `
models: { fast: { id: small } }
limits: { usd: 1 }
nodes:
  A: { use: model, model: fast, prompt: Hi., on: { done: E } }
  E: { final: success }`
  const priced = text.replace('id: small', 'id: small, price: { input: 1, output: 1 }')
  expect(foundOf('unused', text)).toEqual(['warning unused limits.usd'])
  expect(foundOf('unused', priced)).toEqual([])
  const others = text.replace('{ usd: 1 }', '{ round: { usd: 1 }, scopes: { job: { usd: 1 } } }')
  expect(foundOf('unused', others)).toEqual([
    'warning unused limits.round.usd',
    'warning unused limits.scopes.job.usd',
  ])
})

describe('never-written', () => {
  it('reports output that no node writes, and fields that a built-in node never has', () => {
    const text = `
channels: { advice: {}, note: {}, left: { default: 0 } }
output: [advice, note, left]
models: { fast: { id: small } }
nodes:
  A: { use: model, model: fast, prompt: Hi., out: { advice: txt }, on: { done: E } }
  E: { final: success }`
    expect(foundOf('never-written', text)).toEqual([
      'warning never-written output[1]',
      'error never-written nodes.A.out.advice',
    ])
    expect(foundOf('never-written', text.replace('txt', 'text').replace('note, ', ''))).toEqual([])
  })
})

describe('smarter-is-the-same', () => {
  const withSmart = (smart: string) => `
nodes:
  A: { use: model, model: fast, on: { done: E } }
  E: { final: success }
models: { fast: { id: small, smarter: smart }, smart: { ${smart} } }`

  it('rejects a smarter model with the same id and endpoint', () => {
    expect(foundOf('smarter-is-the-same', withSmart('id: small'))).toEqual([
      'error smarter-is-the-same models.fast.smarter',
    ])
  })

  it('accepts another model or another endpoint', () => {
    expect(found(withSmart('id: large'))).toEqual([])
    expect(found(withSmart("id: small, baseURL: 'https://elsewhere.example/v1'"))).toEqual([])
  })
})

describe('unused', () => {
  it('warns of a tool, a model or a channel that no node names', () => {
    const text = `
channels: { goal: {}, asked: {}, noted: {}, total: {}, idle: {} }
input: [goal]
nodes:
  A: { use: model, model: m, prompt: 'Read {{asked}}.', tools: [t], out: noted, when: { over: 'total == null' }, on: { done: E } }
  E: { final: success }
tools: { t: { use: flaky }, u: { use: flaky } }
models: { m: { id: m }, n: { id: n } }`
    expect(found(text)).toEqual([
      'warning unused tools.u',
      'warning unused models.n',
      'warning unused channels.idle',
    ])
  })

  it('accepts a tool that substitutes another, but warns of substitutes that the ladder never uses', () => {
    const text = (ladder: string) =>
      `{ nodes: { A: { use: tool, tool: t, args: {}, on: { done: E } }, E: { final: success } }, tools: { t: { use: flaky, substitutes: [u] }, u: { use: flaky } }, escape: { ladder: [${ladder}] } }`
    expect(found(text('retry, substitute, stop')).filter(one => one.includes('unused'))).toEqual([])
    expect(found(text('retry, stop')).filter(one => one.includes('unused'))).toEqual([
      'warning unused tools.t.substitutes',
    ])
  })

  it('warns of `escape.wait` if the ladder has no `wait`', () => {
    const text = (ladder: string) => `
nodes: { A: { use: tool, tool: t, on: { done: E } }, E: { final: success } }
tools: { t: { use: flaky } }
escape: { wait: { most: 1m }${ladder} }`
    expect(found(text(''))).toEqual([])
    expect(found(text(', ladder: [retry, stop]'))).toEqual(['warning unused escape.wait'])
  })

  it('warns of `escape.learn` if no rungs of the ladder may be exchanged', () => {
    const text = (ladder: string) => `
nodes: { A: { use: tool, tool: t, on: { done: E } }, E: { final: success } }
tools: { t: { use: flaky } }
escape: { learn: true${ladder} }`
    expect(found(text(''))).toEqual([])
    expect(found(text(', ladder: [rethink, rollback, alternative, stop]'))).toEqual([
      'warning unused escape.learn',
    ])
  })

  it('warns of patterns in `confirm` without a matching tool', () => {
    const text = (pattern: string) => `
      nodes: { A: { use: tool, tool: delete_file, on: { done: E } }, E: { final: success } }
      tools: { delete_file: { use: flaky } }
      confirm: { '${pattern}': always }`
    expect(found(text('delete_*'))).toEqual([])
    expect(found(text('delte_*'))).toEqual(['warning unused confirm.delte_*'])
  })

  it('accepts unused models if custom code may call them', () => {
    expect(
      found(
        'nodes: { A: { use: ./a.ts#a, on: { done: E } }, E: { final: success } }\nmodels: { m: { id: m } }',
      ),
    ).toEqual([])
  })
})

describe('unreachable-recipient', () => {
  const text = (notify: string) =>
    `nodes: { A: { use: tool, tool: t, args: {}, on: { done: E } }, E: { final: success } }\ntools: { t: { use: flaky } }\nescape: { review: { deadline: 1h, to: team, escalate: [{ to: lead, after: 5m }] } }\n${notify}`
  const hook = (to: string) =>
    `{ webhook: 'https://hooks.example.com/', secretFrom: S, allow: [hooks.example.com]${to} }`

  it('warns of a recipient that no notifier serves', () => {
    expect(foundOf('unreachable-recipient', text(''))).toEqual([
      'warning unreachable-recipient escape.review.to',
      'warning unreachable-recipient escape.review.escalate[0].to',
    ])
    expect(foundOf('unreachable-recipient', text(`notify: [${hook(', to: [team]')}]`))).toEqual([
      'warning unreachable-recipient escape.review.escalate[0].to',
    ])
    expect(
      foundOf('unreachable-recipient', text(`notify: [${hook(', to: [team, lead]')}]`)),
    ).toEqual([])
  })

  it('accepts any recipient if a notifier serves all', () => {
    expect(foundOf('unreachable-recipient', text('notify: [log]'))).toEqual([])
    expect(foundOf('unreachable-recipient', text(`notify: [${hook('')}]`))).toEqual([])
  })
})

describe('accept', () => {
  const endless = (accept: string) =>
    `nodes: { A: { use: pass, on: { done: A } } }\naccept: [${accept}]`

  it('marks an accepted finding and keeps it visible', () => {
    expect(linted(endless('cycle-without-exit nodes.A'))).toMatchObject([
      { rule: 'cycle-without-exit', severity: 'error', accepted: true },
    ])
    expect(linted(endless(''))).toMatchObject([{ accepted: false }])
  })

  it('is reported if it matches no finding', () => {
    expect(linted(endless("'cycle-without-exit nodes.A', dead-end nodes.B.on"))).toMatchObject([
      { accepted: true },
      { rule: 'unused', path: 'accept[1]', accepted: false },
    ])
  })
})
