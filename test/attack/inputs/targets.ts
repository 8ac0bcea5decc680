/** Everything that reads input from outside. Each target takes a mutated value, and returns or throws an error of its own. */
import { writeFileSync } from 'node:fs'
import { parse as parseCel } from '@marcbachmann/cel-js'
import { stringify } from 'yaml'
import { z } from 'zod'
import { aiSdkModel } from '../../../src/adapters/model/ai-sdk.ts'
import { langchainModel } from '../../../src/adapters/model/langchain/chat-model.ts'
import { openaiModel } from '../../../src/adapters/model/langchain/openai-model.ts'
import { nodeOwner } from '../../../src/adapters/node/ports.ts'
import { withSettings } from '../../../src/adapters/spec/library.ts'
import { readSource } from '../../../src/adapters/spec/source.ts'
import { readTraces } from '../../../src/adapters/trace/traces.ts'
import { machineOfSpec } from '../../../src/core/graph/agent-machine.ts'
import { lint } from '../../../src/core/graph/lint/lint.ts'
import { changePolicy } from '../../../src/core/graph/spec/policy-schema.ts'
import { parseSpec, readSpec } from '../../../src/core/graph/spec/read.ts'
import { whenCompiler } from '../../../src/core/graph/cel/when.ts'
import { canonical, hash, type Json, notJsonAt } from '../../../src/core/watch/data/json.ts'
import { linearPattern, patternFault } from '../../../src/core/watch/data/pattern.ts'
import { POLICY, safeParsePolicy } from '../../../src/core/watch/policy/policy.ts'
import { machineOfSource } from '../../../src/host/drive/load.ts'
import { bindGraph } from '../../../src/kit/bind/bind.ts'
import { tool } from '../../../src/kit/tool.ts'
import { importThreads } from '../../../src/runtime/drive/copy.ts'
import type { Model } from '../../../src/runtime/ports.ts'
import { redactor } from '../../../src/runtime/redaction/redact.ts'
import { parseArchive } from '../../../src/runtime/store/archive-parser.ts'
import { memoryStore } from '../../../src/runtime/store/memory-store.ts'
import { personEvent } from '../../../src/runtime/store/person-event.ts'
import { play } from '../../../src/testing/play.ts'
import { readScript, scriptedModel } from '../../../src/testing/scripted-model.ts'
import { flagsOf } from '../../../src/faces/cli/commands/watch.ts'
import { watchdog } from '../../../src/watchdog.ts'
import * as corpus from './corpus.ts'

export interface Target {
  readonly name: string
  readonly corpus: readonly Json[]
  /** How often this target is chosen, compared with the others. */
  readonly weight: number
  /** The names of the errors that it may throw. */
  readonly errors: readonly string[]
  /** Reads the value. Returns `false` if the syntax layer rejected it: such an input does not count. */
  readonly read: (value: Json, file: string) => unknown
}

export const TARGETS: readonly Target[] = [
  { name: 'graph spec', corpus: corpus.specs, weight: 215, errors: [], read: readGraph },
  { name: 'spec file (YAML)', corpus: corpus.specTexts, weight: 10, errors: [], read: readFile },
  {
    name: 'policy, policy change',
    corpus: corpus.policies,
    weight: 190,
    errors: [],
    read: readPolicy,
  },
  { name: '--set', corpus: corpus.policies, weight: 25, errors: ['UsageError'], read: readSetting },
  { name: 'model script', corpus: corpus.scripts, weight: 100, errors: [], read: readTurns },
  {
    name: 'trace, OTLP',
    corpus: corpus.traces,
    weight: 90,
    errors: ['InvalidTrace'],
    read: readTrace,
  },
  {
    ...{ name: 'archive, journal', corpus: corpus.archives, weight: 15, read: readThreads },
    errors: ['BadArchive', 'ReservedName'],
  },
  {
    name: 'CEL',
    corpus: corpus.conditions,
    weight: 110,
    errors: ['EvaluationError'],
    read: readCondition,
  },
  { name: 'pattern', corpus: corpus.patterns, weight: 50, errors: [], read: readPattern },
  {
    name: 'command to a thread',
    corpus: corpus.commands,
    weight: 120,
    errors: ['InvalidEvent'],
    read: personEvent,
  },
  {
    name: 'arguments of a tool',
    corpus: corpus.bodies,
    weight: 80,
    errors: ['InvalidArguments'],
    read: readArguments,
  },
  {
    name: 'call of a wrapped agent',
    corpus: corpus.bodies,
    weight: 20,
    errors: [],
    read: observeCall,
  },
  { name: 'secrets in a value', corpus: corpus.bodies, weight: 60, errors: [], read: redact },
  {
    name: 'stream of the AI SDK',
    corpus: corpus.parts,
    weight: 15,
    errors: [],
    read: readParts,
  },
  {
    name: 'stream of LangChain',
    corpus: corpus.chunks,
    weight: 12,
    errors: [],
    read: readChunks,
  },
  {
    name: 'stream of an endpoint (SSE)',
    corpus: corpus.events,
    weight: 2,
    errors: [],
    read: readEvents,
  },
]

function readGraph(value: Json): void {
  const { spec, faults } = readSpec(value)
  if (faults) {
    checkFaults(faults)
    return
  }
  lint(spec)
  // The statechart of such a spec is in a module.
  if (spec.machine === undefined) machineOfSpec(spec)
}

/** Faults have a path and a message. */
function checkFaults(faults: readonly { path: string; message: string }[]): void {
  const unclear = faults.find(({ path, message }) => path === '' || message.trim() === '')
  if (faults.length === 0 || unclear) throw new Error(`unclear fault: ${JSON.stringify(unclear)}`)
}

async function readFile(value: Json, file: string): Promise<boolean> {
  writeFileSync(`${file}.yaml`, typeof value === 'string' ? value : stringify(value))
  const { source, faults } = await readSource(`${file}.yaml`)
  if (faults) return false
  readGraph(source.value as Json)
  return true
}

function readPolicy(value: Json): void {
  for (const { faults } of [safeParsePolicy(value), changePolicy(POLICY, value)])
    if (faults && faults.length === 0) throw new Error('refused without a fault')
}

/** Every entry as a setting: `limits.steps=20`. */
function readSetting(value: Json): void {
  const settings = Object.entries(Object(value)).flatMap(([key, inner]) =>
    typeof inner === 'object' && inner !== null
      ? Object.entries(inner).map(([name, of]) => `${key}.${name}=${JSON.stringify(of)}`)
      : [`${key}=${JSON.stringify(inner)}`],
  )
  readPolicy(withSettings({}, settings.slice(0, 20)) as Json)
}

function readTurns(value: Json): void {
  const { faults } = readScript(value)
  if (faults) checkFaults(faults)
}

async function readTrace(value: Json, file: string): Promise<void> {
  const lines = Array.isArray(value) ? value : [value]
  writeFileSync(`${file}.jsonl`, lines.map(line => `${JSON.stringify(line)}\n`).join(''))
  for await (const { acts } of readTraces(`${file}.jsonl`)) flagsOf(acts, POLICY.detect)
}

/** The lines of an archive with correct hashes: the reader trusts nothing else about them. */
async function readThreads(value: Json): Promise<void> {
  const bodies = (Array.isArray(value) ? value : [value]).map(withHash)
  const text = bodies.map(line => `${JSON.stringify(line)}\n`)
  const { createHash } = await import('node:crypto')
  const sha256 = createHash('sha256').update(text.join('')).digest('hex')
  const lines = [...text.map(line => line.slice(0, -1)), JSON.stringify({ sha256 })]
  const archive = await parseArchive(streamOf(lines))
  const ports = { ...nodeOwner(), store: memoryStore(), machineOf: machineOfSource }
  await importThreads(ports, archive)
}

function withHash(line: Json): Json {
  if (typeof line !== 'object' || line === null || !('kept' in line)) return line
  const { value = null } = line as { readonly value?: Json }
  return value === null ? line : { ...line, kept: hash(canonical(value)) }
}

const textOf = (value: Json) => (typeof value === 'string' ? value : JSON.stringify(value))

const CHANNELS = ['results', 'answer', 'count', 'list', 'goal', 'output', 'visits', 'order']
const compile = whenCompiler(CHANNELS)
const VALUES: readonly Json[] = [
  0,
  3,
  -1.5,
  '',
  'text',
  null,
  true,
  [],
  [1, 'a'],
  { ok: true, n: 2 },
]

function readCondition(value: Json): boolean {
  const text = textOf(value)
  try {
    parseCel(text)
  } catch {
    return false
  }
  const { evaluate, fault } = compile(text)
  if (fault === '') throw new Error('refused without a fault')
  for (const each of VALUES)
    try {
      evaluate?.(() => each)
    } catch (error) {
      if (!['EvaluationError', 'TypeError', 'ParseError'].includes((error as Error).name))
        throw error
    }
  return true
}

function readPattern(value: Json): boolean {
  const source = textOf(value)
  const fault = patternFault(source)
  if (fault === undefined) linearPattern(source).test('aab'.repeat(2_000))
  return (
    fault === undefined ||
    !/Invalid regular expression: .*: (Unterminated|Nothing|Lone|Unmatched)/.test(fault)
  )
}

const READER = tool({
  name: 'read',
  description: 'reads',
  effects: 'read',
  inputSchema: z.object({
    path: z.string().max(200),
    lines: z.int().min(1).optional(),
    order: z.object({ tags: z.array(z.string()) }).optional(),
  }),
  execute: () => null,
})

function readArguments(value: Json): void {
  const fault = notJsonAt(READER.parse(value))
  if (fault) throw new Error(`the arguments are not plain data: ${fault}`)
}

function observeCall(value: Json): void {
  const monitor = watchdog({ policy: { mode: 'observe' } })
  monitor.userMessage(value, 1)
  for (let at = 2; at < 6; at++) {
    monitor.beforeModelCall(at)
    const call = { tool: 'read', args: value, result: value, outcome: { began: at, ended: at } }
    monitor.afterModelTurn({ text: textOf(value), calls: [call], at })
  }
  const fault = notJsonAt(monitor.state)
  if (fault) throw new Error(`the state is not plain data: ${fault}`)
}

const redacting = redactor(['correct-horse-battery'])

function redact(value: Json): void {
  const once = redacting(value)
  if (canonical(redacting(once)) !== canonical(once)) throw new Error('redaction is not stable')
}

const agent = bindGraph(
  parseSpec({
    escapement: 1,
    id: 'reader',
    start: 'plan',
    channels: { goal: { type: 'string' }, thought: { default: null } },
    nodes: {
      plan: {
        use: 'model',
        model: 'fast',
        prompt: 'Go.',
        in: ['goal'],
        out: { thought: '.' },
        on: { done: 'end', error: 'end' },
      },
      end: { final: 'success' },
    },
    models: { fast: { id: 'fast' } },
    retry: { attempts: 1 },
  }),
  { workspace: '.', model: () => scriptedModel({ id: 'fast', timeout: 1_000 }, []) },
)

/** A run with the model: it ends, whatever the model sends, and its journal is plain data. */
async function readReply(model: Model): Promise<void> {
  const { run, events } = await play(agent, { input: { goal: 'Go.' }, model })
  const fault = notJsonAt(events)
  if (fault) throw new Error(`the journal is not plain data: ${fault}`)
  if (run.ended === undefined) throw new Error('the run does not end: unclear')
}

async function* streamOf<T>(values: readonly T[]): AsyncGenerator<T> {
  yield* values
}

function readParts(value: Json): Promise<void> {
  const parts = Array.isArray(value) ? value : [value]
  const doStream = async () => ({ stream: ReadableStream.from(streamOf(parts)) })
  return readReply(aiSdkModel({ specificationVersion: 'v3', modelId: 'm', doStream }))
}

function readChunks(value: Json): Promise<void> {
  const chunks = Array.isArray(value) ? value : [value]
  const stream = async () => streamOf(chunks)
  return readReply(
    langchainModel({ stream, _llmType: () => 'm', _modelType: () => 'base_chat_model' }),
  )
}

async function readEvents(value: Json): Promise<void> {
  const events = Array.isArray(value) ? value : [value]
  const text = [...events.map(event => JSON.stringify(event)), '[DONE]']
  const body = text.map(data => `data: ${data}\n\n`).join('')
  const before = globalThis.fetch
  globalThis.fetch = async () =>
    new Response(body, { headers: { 'content-type': 'text/event-stream' } })
  try {
    await readReply(endpoint)
  } finally {
    globalThis.fetch = before
  }
}

const ENDPOINT = { id: 'm', keyFrom: 'NONE', baseURL: 'http://127.0.0.1:9/v1', timeout: 1_000 }
const endpoint = openaiModel(ENDPOINT as never, {})
