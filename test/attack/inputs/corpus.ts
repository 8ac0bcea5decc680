/** Valid inputs of every kind, from the repository. Mutations begin with them. */
import { globSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { parse } from 'yaml'
import { readSpec } from '../../../src/core/graph/spec/read.ts'
import type { Json } from '../../../src/core/watch/data/json.ts'
import { readScript } from '../../../src/testing/scripted-model.ts'
import { DIALECTS } from '../../trace/dialects.ts'
import { WRITTEN } from '../../trace/story.ts'

const ROOT = resolve(import.meta.dirname, '../../..')
const PLACES = ['graphs', 'templates', 'test', 'examples', 'demos']

const yamlTexts = PLACES.flatMap(place => globSync(`${place}/**/*.yaml`, { cwd: ROOT }))
  .sort()
  .map(file => readFileSync(resolve(ROOT, file), 'utf8'))

const documents = yamlTexts.flatMap(text => {
  try {
    return [parse(text) as Json]
  } catch {
    return []
  }
})

/** The graphs of the stories use every key of a spec. */
const storyGraphs = globSync('test/stories/*.story', { cwd: ROOT })
  .sort()
  .flatMap(file => {
    const block = /^graph:\n((?: {2}.*\n|\n)+)/m.exec(readFileSync(resolve(ROOT, file), 'utf8'))
    if (!block) return []
    const graph = parse(block[0]).graph as { nodes?: object }
    return [{ escapement: 1, id: 'story', start: Object.keys(graph?.nodes ?? {})[0], ...graph }]
  }) as readonly Json[]

export const specs = [...documents, ...storyGraphs].filter(value => readSpec(value).spec)

export const specTexts = yamlTexts.filter(text => /^escapement: 1/m.test(text))

const POLICY_KEYS = [
  'limits',
  'retry',
  'breaker',
  'detect',
  'escape',
  'failures',
  'rounds',
  'confirm',
]

export const policies = specs
  .map(spec => {
    const entries = Object.entries(spec as Readonly<Record<string, Json>>)
    return Object.fromEntries(entries.filter(([key]) => POLICY_KEYS.includes(key)))
  })
  .filter(policy => Object.keys(policy).length > 0) as readonly Json[]

export const scripts = documents.filter(value => readScript(value).script)

/** The values of recorded traces, in all formats and dialects. */
export const traces: readonly Json[] = [
  ...WRITTEN.map(([, , text]) => valuesIn(text)),
  ...DIALECTS.map(([, values]) => values as unknown as Json),
]

function valuesIn(text: string): Json {
  try {
    return [JSON.parse(text) as Json]
  } catch {
    const lines = text.split('\n').filter(Boolean)
    return lines.map(line => JSON.parse(line) as Json)
  }
}

const ARCHIVES = ['approval', 'names', 'release', 'services']

/** The lines of archives, without their hash. */
export const archives = ARCHIVES.map(name => {
  const packed = readFileSync(resolve(ROOT, `test/fixture/0.1.0/${name}.escapement.gz`))
  const lines = gunzipSync(packed).toString().trimEnd().split('\n')
  return lines.slice(0, -1).map(line => JSON.parse(line) as Json)
}) as readonly Json[]

/** The conditions of all specs. */
export const conditions: readonly Json[] = [
  ...new Set(
    specs.flatMap(spec =>
      [...JSON.stringify(spec).matchAll(/"when":(\{[^{}]*\})/g)].flatMap(([, when = '{}']) =>
        Object.values(JSON.parse(when) as Record<string, string>),
      ),
    ),
  ),
]

export const commands: readonly Json[] = [
  { type: 'resume', effect: 'ask#1', decision: 'approved', output: { to: 'x' }, note: 'well' },
  { type: 'resume', effect: 'review#1', decision: 'approved', rung: 'alternative', to: 'plan' },
  { type: 'cancel', reason: 'enough', at: 1_760_000_000_000 },
  { type: 'message', input: { goal: 'more', list: [1, { a: null }] } },
  { type: 'child.ended', effect: 'hand#1', call: 'hand#1/1', thread: 't/hand#1/1' },
  {
    ...{ type: 'deadlock.found', effect: 'hand#1', call: 'hand#1/1', since: 4 },
    ...{ threads: ['t', 'u'], escapes: true },
  },
  {
    type: 'policy.change',
    change: { limits: { steps: 3 }, escape: { review: { deadline: '2h' } } },
  },
]

export const bodies: readonly Json[] = [
  { path: 'src/index.ts', lines: 80, from: 1 },
  { goal: 'Find it.', order: { clocks: 3, tags: ['a', 'b'] }, at: '2026-01-01T00:00:00Z' },
  { hits: [], total: 0, took_ms: 14, error: null },
  {
    password: 'x',
    headers: { authorization: 'Bearer abc.def.ghi' },
    text: 'sk_live_0123456789abcdef',
  },
  ['text', 3, null, { nested: [{ deep: true }] }],
  'Error: no such street',
]

export const patterns: readonly Json[] = [
  ...[
    '^\\w+@\\w+\\.\\w+$',
    '(a|b)+c?',
    '[^\\]]*\\d{1,3}',
    '\\bfoo(?:bar)?\\b',
    '^(?<year>\\d{4})-\\d\\d$',
  ],
  ...['\\p{L}+', '.*?x{0,20}', '(?i)error|warn', '[a-z&&[^b]]', '\\x41\\u0042'],
]

/** Parts of a stream of the AI SDK. */
export const parts: readonly Json[] = [
  [
    { type: 'stream-start', warnings: [] },
    { type: 'text-delta', id: '0', delta: 'I look. ' },
    { type: 'reasoning-delta', id: '1', delta: 'Why not.' },
    { type: 'tool-call', toolCallId: 'c1', toolName: 'find', input: '{"street":"Book Lane"}' },
    { type: 'finish', finishReason: 'tool-calls', usage: { inputTokens: 12, outputTokens: 7 } },
  ],
  [
    { type: 'text-delta', id: '0', delta: 'Done.' },
    {
      type: 'finish',
      finishReason: { unified: 'stop', raw: 'stop' },
      usage: { inputTokens: { total: 3, cacheRead: 1 }, outputTokens: { total: 2 } },
    },
  ],
]

/** Chunks of a stream of LangChain. */
export const chunks: readonly Json[] = [
  [
    { content: 'I look. ', tool_call_chunks: [] },
    {
      content: [
        { type: 'text', text: 'And see.' },
        { type: 'thinking', thinking: 'hm' },
      ],
    },
    { content: '', tool_call_chunks: [{ index: 0, id: 'c1', name: 'find', args: '{"str' }] },
    { content: '', tool_call_chunks: [{ index: 0, args: 'eet":"x"}' }] },
    {
      content: '',
      usage_metadata: { input_tokens: 9, output_tokens: 4, input_token_details: { cache_read: 2 } },
      response_metadata: { model_provider: 'openai', finish_reason: 'tool_calls' },
    },
  ],
  [
    {
      content: 'Whole.',
      tool_calls: [{ id: 'c1', name: 'find', args: { street: 'x' } }],
      response_metadata: { finish_reason: 'stop' },
    },
  ],
]

/** Events of a chat completion, as an endpoint streams them. */
export const events: readonly Json[] = [
  [
    {
      id: 'e',
      object: 'chat.completion.chunk',
      choices: [{ index: 0, delta: { role: 'assistant', content: 'I ' } }],
    },
    {
      id: 'e',
      object: 'chat.completion.chunk',
      choices: [{ index: 0, delta: { content: 'look.' } }],
    },
    {
      id: 'e',
      object: 'chat.completion.chunk',
      choices: [
        {
          index: 0,
          delta: {
            tool_calls: [
              { index: 0, id: 'c1', type: 'function', function: { name: 'find', arguments: '{}' } },
            ],
          },
        },
      ],
    },
    {
      id: 'e',
      object: 'chat.completion.chunk',
      choices: [{ index: 0, delta: {}, finish_reason: 'tool_calls' }],
    },
    {
      id: 'e',
      object: 'chat.completion.chunk',
      choices: [],
      usage: { prompt_tokens: 9, completion_tokens: 4, total_tokens: 13 },
    },
  ],
]
