/** Our runtime: bare, with the ladder, and with a gate before success. */
import { parseSpec } from '../../src/core/graph/spec/read.ts'
import type { Row } from '../../src/core/run/run.ts'
import { bindGraph } from '../../src/kit/bind/bind.ts'
import { modelFields, toolRequests } from '../../src/kit/model.ts'
import { tool } from '../../src/kit/tool.ts'
import type { Graph, Model } from '../../src/runtime/ports.ts'
import { memoryStore } from '../../src/runtime/store/memory-store.ts'
import { simulate, type Subject } from '../../src/simulate/run/simulate.ts'
import type { Json } from '../../src/core/watch/data/json.ts'
import { chanceOf, GIVEN_UP, type Seen, type View } from './agent.ts'
import { type Arm, PRICE, resultOf, TURNS, USAGE } from './arm.ts'
import type { Cell } from './cell.ts'
import { ASKS_AGAIN, type Task, type Worker, type World } from './task.ts'

export type Mode = 'bare' | 'ladder' | 'gate'

const NAMES: Readonly<Record<Mode, string>> = {
  bare: 'escapement, no ladder',
  ladder: 'escapement',
  gate: 'escapement, finish gate',
}

/** The attempts of the gate. */
const ATTEMPTS = 4

export const ours = (mode: Mode): Arm => ({
  name: NAMES[mode],
  async run(cell, seed) {
    const { task, scenario } = cell
    let world: World | undefined
    const store = memoryStore()
    const system = () => {
      const made = task.world(seed)
      world = made
      return { tools: made.tools as never, progress: made.progress, correct: made.correct }
    }
    const graph = graphOf(cell, mode, seed)
    const [{ goal }, second] = task.workers
    const input: Readonly<Record<string, Json>> = second ? {} : { goal }
    const subject: Subject = {
      scenario: { ...scenario, input: input as never },
      policy: 'default',
      graph,
      system,
    }
    const run = await simulate(subject, { seed, store })
    const threads = await store.threads()
    const rows = (await Promise.all(threads.map(({ thread }) => store.rows(thread)))).flat()
    return {
      claimed: ['success', 'degraded', 'silently wrong'].includes(run.outcome),
      correct: world?.correct() ?? false,
      calls: rows.filter(isAttempt).length,
      usd: run.spent.usd,
      detected: rows.some(isDetection),
      verified: world?.verified() ?? false,
    }
  },
})

/** A retry is an attempt, too. */
const isAttempt = ({ event }: Row): boolean => event.type === 'tool.called'

function isDetection({ event, findings }: Row): boolean {
  if (findings.length > 0 || event.type === 'tool.failed' || event.type === 'node.failed')
    return true
  if (event.type === 'node.done') return event.label === 'rejected'
  const isAudit = event.type === 'tool.done' && event.subject === 'audit'
  return isAudit && JSON.stringify(event).includes('"passed":false')
}

function modelFor(worker: Worker, seed: number): (name: string) => Model {
  return name => ({
    ...modelFields(name, { price: PRICE } as never),
    async ask(request, call) {
      const [opening, ...others] = request.messages.filter(({ role }) => role !== 'assistant')
      const seen = others.flatMap((of): Seen[] => {
        if (of.role === 'user') return [{ kind: 'note', text: of.content }]
        return of.role === 'tool' ? [resultOf(of.tool, of.content)] : []
      })
      const view: View = { opening: opening?.content ?? '', system: request.system, seen }
      const next = worker.decide(seed)(view, chanceOf(seed, worker.name, view))
      if ('say' in next) return { text: next.say, calls: [], usage: USAGE }
      const asked = [{ id: undefined, tool: next.tool, args: { parsed: next.args } }]
      return { text: '', calls: toolRequests(asked, call.idempotencyKey), usage: USAGE }
    },
  })
}

const anything = { type: 'object' } as const

const toolsFor = (names: readonly string[]) =>
  Object.fromEntries(
    names.map(name => [
      name,
      tool({
        name,
        description: name,
        inputSchema: anything,
        effects: /order|book|adjust|write/.test(name) ? 'write' : 'read',
        idempotent: true,
        execute: async () => null,
      }),
    ]),
  )

/** Without the ladder: one attempt, no detector acts, and the limits end the run. */
const BARE = {
  mode: 'observe',
  retry: { attempts: 1 },
  escape: { ladder: ['stop'] },
}
const LIMITS = { steps: 10 * TURNS, modelCalls: 2 * TURNS, toolCalls: 4 * TURNS }

interface Building {
  readonly task: Task
  readonly mode: Mode
  readonly seed: number
}

/** One agent as a graph. `gate`: its result is verified here. */
function workerGraph(worker: Worker, { task, mode, seed }: Building, isGated: boolean): Graph {
  const isPaired = task.workers.length > 1
  const names =
    isGated && !worker.tools.includes('audit') ? [...worker.tools, 'audit'] : worker.tools
  const substitutes =
    mode !== 'bare' && task.isSubstitute && names.includes(task.main)
      ? { [task.main]: { use: 'code', substitutes: [task.backup] } }
      : {}
  const done = isGated ? 'check' : 'end'
  const spec = parseSpec({
    escapement: 1,
    id: worker.name,
    start: 'plan',
    input: ['goal'],
    channels: {
      goal: { type: 'string' },
      ...(isPaired && {
        note: { type: 'string', default: '' },
        found: { type: 'string', default: '' },
      }),
      messages: { reducer: 'append', type: 'object' },
      answer: { type: 'string', volatile: true, default: '' },
    },
    nodes: {
      plan: {
        use: 'model',
        model: 'fast',
        prompt: 'You work on one task.',
        preamble: false,
        tools: worker.tools,
        in: ['goal', 'messages', ...(isPaired ? ['note', 'found'] : [])],
        out: { messages: 'message', answer: 'text' },
        when: { lost: `answer.startsWith('${GIVEN_UP}') && ${String(!isPaired)}` },
        on: { 'done.command': 'act', 'done.answer': done, 'done.lost': 'lost' },
      },
      act: { use: 'tools', in: ['messages'], out: { messages: 'messages' }, on: { done: 'plan' } },
      ...(isGated && {
        check: {
          use: 'verify',
          tool: 'audit',
          attempts: ATTEMPTS,
          out: { messages: 'messages' },
          on: { done: 'end', 'done.rejected': 'plan', 'error.business': 'lost' },
        },
      }),
      end: { final: 'success' },
      lost: { final: 'failure' },
    },
    tools: { ...Object.fromEntries(names.map(name => [name, { use: 'code' }])), ...substitutes },
    models: {
      fast: { id: 'fast', price: PRICE, smarter: 'smart' },
      smart: { id: 'smart', price: PRICE },
    },
    output: ['answer'],
    limits: LIMITS,
    ...(mode === 'bare' && BARE),
  } as never)
  return bindGraph(spec, {
    model: modelFor(worker, seed),
    tools: toolsFor(names),
  } as never) as Graph
}

export function graphOf({ task }: Cell, mode: Mode, seed: number): Graph {
  const [first, second] = task.workers
  const building = { task, mode, seed }
  const isGated = mode === 'gate'
  if (!second) {
    return workerGraph(first, building, isGated)
  }
  const graphs = {
    [first.name]: workerGraph(first, building, false),
    [second.name]: workerGraph(second, building, false),
  }
  const spec = parseSpec({
    escapement: 1,
    id: 'pair',
    start: 'seek',
    channels: {
      task: { type: 'string', default: first.goal },
      order: { type: 'string', default: second.goal },
      note: { default: '' },
      found: { type: 'string', default: '' },
      said: { type: 'string', default: '' },
    },
    nodes: {
      seek: {
        use: 'graph',
        graph: first.name,
        in: { goal: 'task', note: 'note' },
        out: { found: 'answer' },
        on: { done: 'buy', error: 'lost' },
      },
      buy: {
        use: 'graph',
        graph: second.name,
        in: { goal: 'order', found: 'found' },
        out: { said: 'answer', note: 'answer' },
        when: {
          again: `said.startsWith('${ASKS_AGAIN}')`,
          lost: `said.startsWith('${GIVEN_UP}')`,
        },
        on: {
          done: isGated ? 'check' : 'end',
          'done.again': 'seek',
          'done.lost': 'lost',
          error: 'lost',
        },
      },
      ...(isGated && {
        check: {
          use: 'verify',
          tool: 'audit',
          attempts: ATTEMPTS,
          out: { note: 'messages.0.content' },
          on: { done: 'end', 'done.rejected': 'seek', 'error.business': 'lost' },
        },
      }),
      end: { final: 'success' },
      lost: { final: 'failure' },
    },
    graphs: Object.fromEntries(
      Object.entries(graphs).map(([name, graph]) => [name, graph.source ?? null]),
    ),
    tools: isGated ? { audit: { use: 'code' } } : {},
    limits: LIMITS,
    ...(mode === 'bare' && BARE),
  } as never)
  return bindGraph(spec, {
    graphs,
    tools: toolsFor(isGated ? ['audit'] : []),
  } as never) as Graph
}
