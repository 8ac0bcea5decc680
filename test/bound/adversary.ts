/** An adversary: tools, models and people that try to exceed the bound of a graph, driven by the whole runtime. */
import type { Effect } from '../../src/core/run/effects.ts'
import { type Spec, offeredTools, workingNodes } from '../../src/core/graph/spec/spec.ts'
import type { Run } from '../../src/core/run/run.ts'
import type { PersonEvent } from '../../src/core/watch/event/event.ts'
import type { Json } from '../../src/core/watch/data/json.ts'
import { bindGraph } from '../../src/kit/bind/bind.ts'
import type { CustomNode } from '../../src/kit/nodes/node.ts'
import { drive } from '../../src/runtime/drive/drive.ts'
import { createGate } from '../../src/runtime/gate/gate.ts'
import type { ModelReply } from '../../src/runtime/model-message.ts'
import type { Calling, Clock, Graph, Model, Ports, Sleep, Tool } from '../../src/runtime/ports.ts'
import { memoryStore } from '../../src/runtime/store/memory-store.ts'
import { virtualClock } from '../../src/testing/clock.ts'

/**
 * What a tool or a model does at its calls, over and over. `tired`: fails as long as it is tried again, without
 * a word against the resource, and then has news; `patient`: the same, and asks each time for all the patience there is; `weary`: the
 * same, and takes all the time there is; `worn`: fails like these, the last time too.
 */
export const DEEDS = [
  'news',
  'same',
  'tired',
  'patient',
  'weary',
  'worn',
  '503',
  '401',
  'odd',
  'business',
  'reset',
  'slow',
  'hang',
  'deaf',
  'notJson',
] as const

/** The reply of a model: one call, the maximum, one of each tool, one too many, no call, or one that depends on its behavior. */
export const REPLIES = ['one', 'many', 'each', 'tooMany', 'foreign', 'nothing'] as const

export interface Behaviour {
  readonly seed: number
  readonly deeds: readonly (typeof DEEDS)[number][]
  readonly sayings: readonly (typeof REPLIES)[number][]
  /** What people answer, at the last moment; `none`: they let the time pass. */
  readonly people: readonly ('on' | 'elsewhere' | 'back' | 'dismiss' | 'no' | 'none')[]
  /** Models use the maximum of tokens at every call, or few. */
  readonly wordy: boolean
  /** What was done can be undone. */
  readonly undoes: boolean
}

export interface Measured {
  readonly run: Run
  /** What was really performed. */
  readonly toolCalls: number
  readonly modelCalls: number
}

const FEW = { input: 1, output: 0, cached: 0 }
const THREAD = 'suffering'

/** Drives a thread of a graph to its end. @throws if it does not end. */
export async function measureWorst(source: Graph, temper: Behaviour): Promise<Measured> {
  const time = virtualClock(1_000)
  const tally: Tally = {
    toolCalls: 0,
    modelCalls: 0,
    news: 0,
    deeds: 0,
    said: 0,
    sleep: time.sleep,
  }
  // Each call sleeps independently of its signal.
  const clock: Clock = {
    ...time,
    during: work =>
      time.during(sleep => {
        tally.sleep = sleep
        return work(sleep)
      }),
  }
  const store = memoryStore()
  const graph = corrupted(source, temper, tally)
  const spec = specOf(source)
  const fiend = new Adversary(spec, temper, tally)
  const ports: Ports = {
    graph,
    clock,
    store,
    wall: clock.now,
    gate: createGate(),
    owner: 'me',
    isOwnerDead: () => true,
    heartbeat: () => () => {},
    redact: <T>(value: T) => value,
  }
  const start = {
    input: { ...Object.fromEntries(spec.input.map(name => [name, name])), ...itemsOf(spec) },
    seed: temper.seed,
  }
  let run = await drive(ports, THREAD, { start })
  let answeredAt = -1
  for (let nth = 0; !run.ended; nth++) {
    const question = run.pending.find(effect => effect.type === 'interrupt')
    if (!question)
      throw new Error(
        `the thread rests in ${JSON.stringify(run.snapshot.value)} without an open question`,
      )
    // After a rejected answer, the deadline passes.
    const answer =
      run.seq > answeredAt || question.deadline === undefined
        ? fiend.answerTo(question, run.seq > answeredAt ? nth : -1)
        : undefined
    answeredAt = run.seq
    if (question.deadline !== undefined)
      await clock.sleep(Math.max(0, question.deadline - clock.now() - (answer ? 1 : 0)))
    if (answer) await store.submit(THREAD, `answer-${nth}`, answer)
    run = await drive(ports, THREAD)
  }
  return { run, toolCalls: tally.toolCalls, modelCalls: tally.modelCalls }
}

/** Many items, where a graph is run for each. */
function itemsOf(spec: Spec): Readonly<Record<string, Json>> {
  const over = workingNodes(spec).flatMap(([, node]) =>
    node.use === 'map' ? [(node as { over: string }).over] : [],
  )
  return Object.fromEntries(
    over.map(name => [name, Array.from({ length: 40 }, (_, nth) => `item ${nth}`)]),
  )
}

/** A graph of random parts. */
export function graphOf(spec: Spec, nodes: Readonly<Record<string, CustomNode>> = {}): Graph {
  return bindGraph(spec, {
    workspace: '.',
    nodes,
    model: () => ({
      id: '',
      timeout: 0,
      ask: () => Promise.reject(new Error('unexpected model call')),
    }),
  })
}

/** What all of a graph has done, those inside it included. */
interface Tally {
  toolCalls: number
  modelCalls: number
  news: number
  deeds: number
  said: number
  /** The sleep of the work that is being begun. */
  sleep: Sleep
}

function specOf({ source }: Graph): Spec {
  return ((source as { spec?: unknown }).spec ?? source) as Spec
}

/** The graph, and all that it runs, with tools and models of the adversary. */
function corrupted(
  graph: Graph,
  temper: Behaviour,
  tally: Tally,
  known = new Map<Graph, Graph>(),
): Graph {
  const before = known.get(graph)
  if (before) return before
  const graphs: Record<string, Graph> = {}
  const corrupt = { ...graph, ...new Adversary(specOf(graph), temper, tally).parts(graph), graphs }
  known.set(graph, corrupt)
  for (const [name, inner] of Object.entries(graph.graphs ?? {}))
    graphs[name] = corrupted(inner, temper, tally, known)
  return corrupt
}

class Adversary {
  readonly #spec: Spec
  readonly #temper: Behaviour
  readonly #tally: Tally

  constructor(spec: Spec, temper: Behaviour, tally: Tally) {
    this.#spec = spec
    this.#temper = temper
    this.#tally = tally
  }

  /** What the spec says of a tool stays; what it does is ours. */
  parts({ tools }: Graph): Pick<Graph, 'tools' | 'models'> {
    return {
      tools: Object.fromEntries(
        Object.entries(tools).map(([name, tool]) => [
          name,
          { ...this.#tool(name), ...plainly(tool) },
        ]),
      ),
      models: Object.fromEntries(
        Object.keys(this.#spec.models).map(name => [name, this.#model(name)]),
      ),
    }
  }

  answerTo(question: Effect & { type: 'interrupt' }, nth: number): PersonEvent | undefined {
    const word = nth < 0 ? 'on' : (this.#temper.people[nth % this.#temper.people.length] ?? 'on')
    const said = { type: 'resume' as const, effect: question.id }
    if (word === 'none') return undefined
    if (question.call && question.call.proposed === undefined)
      return { ...said, decision: 'not-applied' }
    if (word === 'no') return { ...said, decision: 'rejected' }
    if (question.about && word === 'dismiss') return { ...said, decision: 'dismiss' }
    if (question.about && word === 'back')
      return { ...said, decision: 'approved', rung: 'rollback' }
    if (!question.about || word !== 'elsewhere') return { ...said, decision: 'approved' }
    const names = workingNodes(this.#spec).map(([name]) => name)
    return { ...said, decision: 'approved', to: names[nth % names.length] ?? '' }
  }

  #tool(name: string): Tool {
    const undo = {
      compensate: async (_: Json, __: Json, calling: Calling) =>
        void (await this.#deed(calling, 30_000, 3)),
    }
    return {
      name,
      description: '',
      parameters: { type: 'object' },
      effects: 'write',
      idempotent: false,
      timeout: 30_000,
      parse: args => args,
      execute: async (_, calling) => {
        this.#tally.toolCalls++
        const { timeout = 30_000, retry } = this.#spec.tools[name] ?? {}
        return fitting(
          this.#spec.tools[name]?.with?.result,
          await this.#deed(calling, timeout, retry?.attempts ?? this.#spec.retry.attempts ?? 3),
        )
      },
      ...(this.#temper.undoes ? undo : {}),
    }
  }

  #model(name: string): Model {
    const {
      id,
      timeout = 120_000,
      price,
      context = 0,
      maxTokens = context,
      retry,
    } = this.#spec.models[name] as Spec['models'][string]
    return {
      id,
      timeout,
      ...(price ? { price: price as Model['price'] & object } : {}),
      ...(retry ? { retry: retry as Model['retry'] & object } : {}),
      ask: async (_, calling) => {
        this.#tally.modelCalls++
        const done = await this.#deed(
          calling,
          timeout,
          retry?.attempts ?? this.#spec.retry.attempts ?? 3,
        )
        return this.#reply(
          JSON.stringify(done) ?? '',
          this.#temper.wordy ? { input: context - maxTokens, output: maxTokens, cached: 0 } : FEW,
        )
      },
    }
  }

  #reply(text: string, usage: ModelReply['usage']): ModelReply {
    const saying = this.#temper.sayings[this.#tally.said++ % this.#temper.sayings.length] ?? 'many'
    const tools =
      saying === 'foreign'
        ? ['unknown']
        : [...offeredTools(this.#spec)].filter(
            name => this.#spec.tools[name]?.use !== 'attempt_completion',
          )
    const count =
      saying === 'nothing' || tools.length === 0
        ? 0
        : saying === 'one'
          ? 1
          : saying === 'each'
            ? tools.length
            : saying === 'tooMany'
              ? 20
              : 16
    const calls = Array.from({ length: count }, (_, nth) => ({
      id: `call-${this.#tally.said}-${nth}`,
      tool: tools[nth % tools.length] ?? '',
      args: { nth, said: this.#tally.said },
    }))
    return { text, calls, ...(usage ? { usage } : {}) }
  }

  async #deed(calling: Calling, timeout: number, attempts: number): Promise<unknown> {
    const deed = this.#temper.deeds[this.#tally.deeds++ % this.#temper.deeds.length]
    const news = `news ${++this.#tally.news}`
    const { sleep } = this.#tally
    switch (deed) {
      case 'same':
        return 'same'
      case 'tired':
      case 'patient':
      case 'weary':
      case 'worn':
        if (deed === 'weary') await calling.sleep(timeout - 1)
        if (calling.attempt >= attempts && deed !== 'worn') return news
        // The same deed again, until the last attempt.
        if (calling.attempt < attempts) this.#tally.deeds--
        throw Object.assign(new Error('two writers met'), {
          status: 409,
          ...(deed === 'tired' || deed === 'worn' ? {} : { headers: { 'retry-after': '60' } }),
        })
      case 'slow':
        await calling.sleep(timeout - 1)
        return news
      case 'hang':
        return calling.sleep(Number.POSITIVE_INFINITY)
      case 'deaf':
        await sleep(timeout * 2)
        return news
      case 'notJson':
        return { when: () => news }
      case 'business':
        throw Object.assign(new Error(`not in stock ${news}`), { name: 'BusinessError' })
      case 'reset':
        throw Object.assign(new Error(`the line went dead ${news}`), { code: 'ECONNRESET' })
      case '503':
      case '401':
        throw new Error(`HTTP ${deed} ${news}`)
      case 'odd':
        throw new Error(`unknown error ${news}`)
      default:
        return news
    }
  }
}

/** News in the form in which the graph expects it. */
function fitting(form: unknown, news: unknown): unknown {
  if (typeof news !== 'string' || typeof form !== 'object' || form === null) return news
  return { ...form, news }
}

/** What a spec, or the tool that ships, says of a tool: not what it does. */
function plainly({
  effects,
  idempotent,
  reversible,
  timeout,
  retry,
  breaker,
  concurrency,
  substitutes,
  stuck,
}: Tool): Partial<Tool> {
  const said = {
    effects,
    idempotent,
    reversible,
    timeout,
    retry,
    breaker,
    concurrency,
    substitutes,
    stuck,
  }
  return Object.fromEntries(Object.entries(said).filter(([, value]) => value !== undefined))
}
