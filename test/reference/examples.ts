/** Examples of the reference, by the titles of their sections. Each is a complete graph, which test/docs.test.ts lints. */
export const EXAMPLES: Readonly<Record<string, string>> = {
  'The spec': `
escapement: 1
id: greeting
description: A minimal graph.
start: greet
input: [name]
channels: { name: { type: string }, greeting: { default: null } }
nodes:
  greet: { use: pass, in: { text: name }, out: { greeting: text }, on: { done: end } }
  end: { final: success }
output: [greeting]
`,
  Nodes: `
escapement: 1
id: measuring
start: measure
channels: { score: { type: integer, default: 0 } }
nodes:
  measure:
    use: tool
    tool: gauge
    out: score
    when: { good: 'score >= 3' }
    timeout: 1m
    on: { done: measure, done.good: end, error: failed, timeout: failed, loop: failed }
  end: { final: success }
  failed: { final: failure }
tools: { gauge: { use: flaky, with: { p: 0.2, result: 3 } } }
`,
  'use: human': `
escapement: 1
id: consent
start: ask
channels: { plan: { type: string, default: Paint it blue. } }
nodes:
  ask:
    use: human
    question: Continue with this plan?
    deadline: 2h
    out: plan
    on: { human.approved: end, human.edited: end, human.rejected: given_up, human.expired: given_up }
  end: { final: success }
  given_up: { final: failure }
`,
  'use: verify': `
escapement: 1
id: quoted
start: offer
input: [article]
channels:
  article: { type: string }
  messages: { reducer: append, type: object }
  price: { default: null }
nodes:
  offer: { use: model, model: fast, prompt: Quote a price., in: { goal: article, messages: messages }, out: { messages: message, price: text }, on: { done: check } }
  check:
    use: verify
    rubric: { given: price != null, short: size(price) < 80 }
    attempts: 3
    in: [price]
    out: { messages: messages }
    on: { done: end, done.rejected: offer, error.business: given_up }
  end: { final: success }
  given_up: { final: failure }
models: { fast: { id: gpt-4o-mini } }
`,
  'use: map': `
escapement: 1
id: sources
start: read
channels:
  urls: { reducer: append, type: string, default: [a, b, c] }
  pages: { default: null }
nodes:
  read: { use: map, graph: reader, over: urls, as: url, concurrency: 2, join: 2, out: { pages: results }, on: { done: end, done.partial: end, error: failed } }
  end: { final: success }
  failed: { final: failure }
graphs:
  reader:
    escapement: 1
    id: reader
    start: fetch
    input: [url]
    channels: { url: { type: string } }
    nodes:
      fetch: { use: tool, tool: get, in: [url], on: { done: done, error: lost } }
      done: { final: success }
      lost: { final: failure }
    tools: { get: { use: flaky, with: { p: 0.1 } } }
`,
  Regions: `
escapement: 1
id: handover
start: prepare
nodes:
  prepare:
    regions:
      check: { start: test, nodes: { test: { use: tool, tool: suite, on: { done: checked, error: broken } }, checked: { final: success }, broken: { final: failure } } }
      inform: { start: announce, nodes: { announce: { use: tool, tool: mail, on: { done: announced, error: announced } }, announced: { final: success } } }
    on: { done: end, done.failed: failed }
  end: { final: success }
  failed: { final: failure }
tools: { suite: { use: flaky }, mail: { use: flaky } }
`,
  Tools: `
escapement: 1
id: booking
start: book
nodes:
  book: { use: tool, tool: booking, args: { table: 2 }, on: { done: end, error: failed, breaker.open: failed } }
  end: { final: success }
  failed: { final: failure }
tools:
  booking:
    use: ./tools.ts#book
    effects: write
    idempotent: true
    timeout: 20s
    retry: { attempts: 2, base: 500ms }
    breaker: { threshold: 5, reset: 1m }
    concurrency: 4
    confirm: write
    substitutes: [by_mail]
  by_mail: { use: ./tools.ts#bookByMail, effects: write, idempotent: true }
`,
  Models: `
escapement: 1
id: asking
start: plan
channels: { goal: { type: string, default: Say hello. }, answer: { default: null } }
nodes:
  plan: { use: model, model: fast, in: [goal], out: { answer: text }, on: { done: end, error: failed } }
  end: { final: success }
  failed: { final: failure }
models:
  fast: { id: gpt-4o-mini, smarter: smart, context: 128000, price: { input: 0.15, output: 0.6, cached: 0.075 }, substitutes: [local] }
  smart: { id: gpt-4o, price: { input: 2.5, output: 10 } }
  local: { id: llama, baseURL: 'http://127.0.0.1:8080/v1', timeout: 5m }
`,
  Failures: `
escapement: 1
id: patience
start: fetch
nodes:
  fetch: { use: tool, tool: api, on: { done: end, error.business: later, error: failed } }
  end: { final: success }
  later: { final: failure }
  failed: { final: failure }
tools: { api: { use: flaky } }
retry: { attempts: 4, base: 2s, cap: 1m, on: [transient, unknown], total: 8 }
breaker: { threshold: 5, reset: 2m }
failures:
  rules: [{ id: not-yet, status: [404], class: business }, { id: quota, message: 'daily quota', class: persistent, scope: resource }]
  recurring: { times: 5, within: 1m }
`,
  Detectors: `
escapement: 1
id: looking
start: look
nodes:
  look: { use: tool, tool: search, on: { done: look, loop: end, error: end } }
  end: { final: success }
tools: { search: { use: flaky }, wait_for_ci: { use: flaky } }
accept: [unused tools.wait_for_ci]
detect:
  sequence: { repeats: 4 }
  visits: { max: 20, window: 5m }
  stale: false
  tools: { wait_for_ci: false, search: { repetition: { times: 2 } } }
  nodes: { look: { recurrence: false } }
`,
  Limits: `
escapement: 1
id: thrifty
start: look
nodes:
  look: { use: tool, tool: search, on: { done: look, loop: end, budget: end, error: end } }
  end: { final: success }
tools: { search: { use: flaky } }
limits:
  steps: 60
  toolCalls: 40
  usd: 2
  duration: 10m
  round: { toolCalls: 10 }
  scopes: { job: { usd: 5, per: 1d, loops: 3, key: nightly } }
`,
  'Ways out': `
escapement: 1
id: leaving
start: work
nodes:
  work: { use: tool, tool: search, on: { done: work, error: broader } }
  broader: { use: tool, tool: search, args: { everywhere: true }, on: { done: end, error: end } }
  end: { final: success }
tools: { search: { use: flaky } }
escape:
  ladder: [retry, alternative, review, stop]
  budget: { alternative: { perLoop: 1 } }
  alternatives: { work: [broader] }
  review: { deadline: 1h, to: team, escalate: [{ to: lead, after: 15m }] }
notify: [log]
confirm: { 'delete_*': always, '*': write }
rounds: { busy: queue }
`,
  'Custom parts': `
escapement: 1
id: drafting
start: draft
nodes:
  draft: { use: tool, tool: write, on: { done: draft, error: end, stall: end } }
  end: { final: success }
tools: { write: { use: flaky } }
parts: { detectors: [./parts.ts#drafts], rungs: [./parts.ts#handover], classifier: ./parts.ts#byVendor }
detect: { drafts: { times: 3 } }
escape: { ladder: [retry, alternative, handover, review, stop] }
`,
}
