/** Random simulations: tools and models with a different behavior at each call, driven by the whole runtime. */
import fc from 'fast-check'
import type { Run } from '../../src/core/run/run.ts'
import { type Spec, workingNodes } from '../../src/core/graph/spec/spec.ts'
import type { EffectContext } from '../../src/core/interpretation.ts'
import { decisionsFor } from '../../src/core/review/answers.ts'
import type { Interrupt } from '../../src/core/run/effects.ts'
import type { Decision, PersonEvent } from '../../src/core/watch/event/event.ts'
import { drive } from '../../src/runtime/drive/drive.ts'
import { createGate } from '../../src/runtime/gate/gate.ts'
import { protectionOf } from '../../src/kit/tool.ts'
import { failing } from '../../src/runtime/outcome.ts'
import type { ModelReply } from '../../src/runtime/model-message.ts'
import type { Calling, Graph, Node, Ports, Task, Tool } from '../../src/runtime/ports.ts'
import { memoryStore } from '../../src/runtime/store/memory-store.ts'
import type { Store } from '../../src/runtime/store/store.ts'
import { virtualClock } from '../../src/testing/clock.ts'
import type { RandomSpec } from './specs.ts'

/** What a tool or a model does at its calls, over and over. */
export type WriteCounts = readonly (typeof WRITE_COUNTS)[number][]

const WRITE_COUNTS = [
  'same',
  'same',
  'same',
  'new',
  'new',
  '503',
  '401',
  'odd',
  'business',
  'slow',
  'hang',
  'notJson',
] as const

/** Deeds that have had no effect for certain. */
const SURELY_NOT: ReadonlySet<string> = new Set(['503', '401', 'odd', 'business'])

/** The process dies at its nth append: before anything of it is stored, or just after all of it is. */
const death = fc.record({ append: fc.nat(40), stored: fc.boolean() })

export const simulation = fc.record({
  deaths: fc.array(death, { maxLength: 3 }),

  seed: fc.nat(9_999),
  deeds: fc.array(fc.constantFrom(...WRITE_COUNTS), { minLength: 1, maxLength: 6 }),
  answer: fc.constantFrom('approved', 'rejected', 'edited', 'applied', 'not-applied', 'none'),
})

/** Most calls fail, and half of the failures are of unknown class. */
export const harshSimulation: fc.Arbitrary<Simulation> = fc.record({
  deaths: fc.array(death, { maxLength: 3 }),
  seed: fc.nat(9_999),
  deeds: fc.array(fc.constantFrom('503', 'hang', 'hang', '503', 'same'), {
    minLength: 1,
    maxLength: 6,
  }),
  // The runtime trusts a wrong answer that a write was not applied, so this answer is excluded.
  answer: fc.constant('applied'),
})

export type Simulation = typeof simulation extends fc.Arbitrary<infer T> ? T : never

export interface Driven {
  readonly run: Run
  readonly store: Store
  /** What tools were really asked to do: `<key> attempt <n>` of each execution. */
  readonly done: readonly string[]
  /** For each call, by its key, the tools that have, or may have, done it. */
  readonly doers: ReadonlyMap<string, ReadonlySet<string>>
  /** How many processes died on the way. */
  readonly died: number
}

const THREAD = 'thread'
/** More questions than any ladder has budget for. */
const ROUNDS_MAX = 60

/** Drives a thread to its end; questions are answered, or left until their deadline; the dead are replaced. */
export async function driveToEnd(
  { spec, machine }: RandomSpec,
  { seed, deeds, answer, deaths }: Simulation,
  host: typeof drive = drive,
): Promise<Driven> {
  const clock = virtualClock(1_000)
  const store = memoryStore()
  const done: string[] = []
  const doers = new Map<string, Set<string>>()
  const graph: Graph = { machine, ...workersOf(spec, deeds, { done, doers }), source: {} }
  const shared = {
    graph,
    clock,
    wall: clock.now,
    isOwnerDead: () => true,
    heartbeat: () => () => {},
    redact: <T>(value: T) => value,
  }
  const fates = [...deaths]
  let ports: Ports = {
    ...shared,
    store: mortal(store, fates.shift()),
    gate: createGate(),
    owner: 'process 0',
  }
  let died = 0
  const driven = async (): Promise<Run> => {
    try {
      return await host(ports, THREAD, { start: { input: {}, seed } })
    } catch (error) {
      if (!(error instanceof Died)) throw error
      ports = {
        ...shared,
        store: mortal(store, fates.shift()),
        gate: createGate(),
        owner: `process ${++died}`,
      }
      return driven()
    }
  }
  let run = await driven()
  for (let rounds = 0; !run.ended && rounds < ROUNDS_MAX; rounds++) {
    const question = run.pending.find((effect): effect is Interrupt => effect.type === 'interrupt')
    if (!question) break
    if (answer === 'none') await clock.sleep(86_400_000)
    else
      for (const [index, event] of answersTo({ machine, run, effect: question }, answer).entries())
        await store.submit(THREAD, `answer-${rounds}-${index}`, event)
    run = await driven()
  }
  return { run, store, done, doers, died }
}

/** What a person says: a decision that does not fit the question is refused, and the person approves. */
function answersTo(on: EffectContext<Interrupt>, answer: Simulation['answer']): PersonEvent[] {
  const question = on.effect
  const first = answerTo(question, answer)
  return first.type === 'resume' && !decisionsFor(on).includes(first.decision)
    ? [first, answerTo(question, 'approved')]
    : [first]
}

function answerTo(question: Interrupt, answer: Simulation['answer']): PersonEvent {
  const { call } = question
  const said: Decision = answer === 'rejected' || answer === 'edited' ? answer : 'approved'
  const decision =
    call === undefined || call.proposed !== undefined
      ? said
      : answer === 'applied'
        ? 'applied'
        : 'not-applied'
  return {
    type: 'resume',
    effect: question.id,
    decision,
    ...(call !== undefined && decision === 'edited' ? { output: { edited: true } } : {}),
  }
}

class Died extends Error {}

/** A store for a process that dies at one of its appends, and rejects all later calls. */
function mortal(store: Store, fate: Simulation['deaths'][number] | undefined): Store {
  let appends = 0
  let dead = false
  const alive = <T>(work: () => Promise<T>): Promise<T> =>
    dead ? Promise.reject(new Died()) : work()
  return {
    ...store,
    append: async batch => {
      const now = appends++ === fate?.append
      if (now && !fate?.stored) dead = true
      await alive(() => store.append(batch))
      if (now) dead = true
      await alive(async () => {})
    },
    inbox: thread => alive(() => store.inbox(thread)),
    rows: (...of) => alive(() => store.rows(...of)),
    release: async lease => (dead ? undefined : store.release(lease)),
  }
}

function workersOf(
  spec: Spec,
  deeds: WriteCounts,
  { done, doers }: { done: string[]; doers: Map<string, Set<string>> },
): Pick<Graph, 'nodes' | 'tools' | 'models'> {
  let count = 0
  const next = () => deeds[count++ % deeds.length] ?? 'same'
  const noted = (tool: string, calling: Calling) => {
    done.push(`${tool} ${calling.idempotencyKey} attempt ${calling.attempt}`)
    const kind = next()
    if (!SURELY_NOT.has(kind))
      doers.set(calling.idempotencyKey, (doers.get(calling.idempotencyKey) ?? new Set()).add(tool))
    return deed(kind, calling, count)
  }
  const tools = Object.entries(spec.tools).map(([name, declared]): [string, Tool] => [
    name,
    {
      name,
      description: '',
      parameters: {},
      ...protectionOf(declared),
      effects: declared.effects ?? 'read',
      idempotent: declared.idempotent ?? false,
      timeout: 5_000,
      parse: args => args,
      execute: (_, calling) => noted(name, calling),
    },
  ])
  const ask = async (_: unknown, calling: Calling): Promise<ModelReply> => {
    const text = String(await deed(next(), calling, count))
    return { text, calls: count % 2 === 0 ? [{ id: 'one', tool: 'read', args: {} }] : [] }
  }
  const nodes = workingNodes(spec).map(([name, node]): [string, Node] => [
    name,
    task => worked(task, node.use, 'tool' in node ? String(node.tool) : 'read'),
  ])
  return {
    tools: Object.fromEntries(tools),
    models: { fast: { id: 'any', timeout: 5_000, ask } },
    nodes: Object.fromEntries(nodes),
  }
}

async function worked(task: Task, use: string, tool: string): Promise<unknown> {
  if (use === 'model') {
    const said = await task.ask('fast', {
      system: '',
      messages: [],
      tools: [],
      command: 'required',
    })
    if (!said.ok) return failing(said.failure)
    await task.batch(said.value.calls.flatMap(call => [call, { tool: 'read', args: 2 }]))
    return { log: said.value.text }
  }
  if (use !== 'tool') return {}
  const answer = await task.call(tool, {})
  return answer.ok ? { n: 1 } : failing(answer.failure)
}

async function deed(kind: WriteCounts[number], calling: Calling, count: number): Promise<unknown> {
  switch (kind) {
    case 'same':
      return 'same'
    case 'new':
      return `new ${count}`
    case 'slow':
      await calling.sleep(3_000)
      return 'slow'
    case 'hang':
      return calling.sleep(Number.POSITIVE_INFINITY)
    case 'notJson':
      return { when: () => count }
    case 'business':
      throw Object.assign(new Error('not in stock'), { name: 'BusinessError' })
    default:
      throw new Error(kind === 'odd' ? 'unknown error' : `HTTP ${kind}`)
  }
}
