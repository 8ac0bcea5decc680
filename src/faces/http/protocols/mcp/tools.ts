/** The tools with which a coding agent debugs a stuck agent. */
import { z } from 'zod'
import { defined } from '../../../../core/watch/data/json.ts'
import { FORK_EFFECTS, DECISIONS, CHOSEN_RUNGS } from '../../../../core/watch/event/event.ts'
import { CLASSES } from '../../../../core/watch/failure/failure-class.ts'
import { diagnose, loopsIn } from '../../../../host/diagnosis.ts'
import type { Runtime } from '../../../../host/runtime.ts'
import { checkApplied } from '../../endpoints/commands.ts'

/** A tool of the server. */
export interface McpTool {
  readonly name: string
  readonly description: string
  readonly input: z.ZodObject
  readonly writes: boolean
  readonly perform: (runtime: Runtime, args: never) => Promise<object>
}

const toolOf = <Shape extends z.ZodRawShape>(
  name: string,
  description: string,
  shape: Shape,
  perform: (runtime: Runtime, args: z.infer<z.ZodObject<Shape>>) => Promise<object>,
  writes = false,
): McpTool => ({ name, description, input: z.object(shape), writes, perform })

const thread = z.string().min(1).max(500).describe('The name of the thread.')
const seq = z.int().min(0)

/** Characters of one event that `show` returns. */
const EVENT_MAX = 2_000

const READS: readonly McpTool[] = [
  toolOf(
    'threads',
    'List threads by name, with their graph, status and last event.',
    {
      graph: z.string().optional(),
      status: z.enum(['active', 'waiting', 'ended']).optional(),
      outcome: z.string().optional(),
      prefix: z.string().optional(),
      after: z.string().optional().describe('The last name of the previous page.'),
      limit: z.int().min(1).max(200).default(50),
    },
    async (runtime, filter) => {
      const { threads, next } = await runtime.threads(defined(filter))
      return { threads: threads.map(({ lease: _, ...each }) => each), ...defined({ next }) }
    },
  ),
  toolOf(
    'why_stuck',
    'Why a thread does not progress: what it waits for, its loops with their cost, the escapes it has tried, and its open questions.',
    { thread },
    async (runtime, { thread }) => diagnose(runtime.thread(thread), Date.now()),
  ),
  toolOf(
    'loops',
    'All findings of a thread, oldest first: what repeated, how often, what it cost, and the escape that followed.',
    { thread },
    async (runtime, { thread }) => ({ loops: loopsIn(await runtime.thread(thread).rows()) }),
  ),
  toolOf(
    'show',
    'The state of a thread, now or after event `at`, and its last events.',
    { thread, at: seq.optional(), events: z.int().min(0).max(200).default(30) },
    async (runtime, { thread, at, events }) => {
      const handle = runtime.thread(thread)
      const state = await handle.state(at)
      const after = Math.max(-1, state.seq - events)
      const rows = events === 0 ? [] : await handle.rows({ after, limit: events })
      return { state, events: rows.map(({ event, seq }) => ({ seq, ...shortened(event) })) }
    },
  ),
]

const WRITES: readonly McpTool[] = [
  toolOf(
    'fork',
    'Copy a thread up to an event, to try another way. `effects` says what the copy may do. It starts at once.',
    {
      thread,
      at: seq.optional(),
      as: z.string().min(1).max(500).optional(),
      effects: z.enum(FORK_EFFECTS),
      change: z.record(z.string(), z.json()).optional().describe('Policy overrides.'),
    },
    async (runtime, { thread, ...terms }) => {
      const fork = await runtime.thread(thread).fork(defined(terms))
      void fork.resume().catch(() => {})
      return { thread: fork.id }
    },
    true,
  ),
  toolOf(
    'answer',
    'Answer an open question of a thread. `why_stuck` lists them with the possible answers.',
    {
      thread,
      question: z.string(),
      decision: z.enum(DECISIONS),
      rung: z.enum(CHOSEN_RUNGS).optional(),
      to: z.string().optional(),
      output: z.json().optional(),
      note: z.string().max(10_000).optional(),
    },
    async (runtime, { thread, question, ...answer }) => {
      const handle = runtime.thread(thread)
      checkApplied(await handle.answer(question, defined(answer)))
      return { thread, seq: (await handle.state()).seq }
    },
    true,
  ),
  toolOf(
    'inject',
    'Have the next attempts of a tool or model of a thread fail, to see how it escapes. The external system is not called.',
    {
      thread,
      kind: z.enum(['tool', 'model']),
      name: z.string(),
      class: z.enum(CLASSES).optional(),
      message: z.string().max(10_000).optional(),
      times: z.int().min(1).max(1000).optional(),
    },
    async (runtime, { thread, ...fault }) => {
      const handle = runtime.thread(thread)
      checkApplied(await handle.inject(defined(fault)))
      return { thread, seq: (await handle.state()).seq }
    },
    true,
  ),
]

/** The tools of a caller. */
export const toolsFor = (mayWrite: boolean): readonly McpTool[] =>
  mayWrite ? [...READS, ...WRITES] : READS

function shortened(event: object): object {
  const text = JSON.stringify(event)
  if (text.length <= EVENT_MAX) return event
  const { type, at } = event as { type: string; at: number }
  return { type, at, cut: `${text.slice(0, EVENT_MAX)}… (${text.length} characters)` }
}
