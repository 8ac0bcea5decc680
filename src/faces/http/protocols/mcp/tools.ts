/** The tools with which a coding agent debugs a stuck agent. */
import { z } from 'zod'
import { defined } from '../../../../core/watch/data/json.ts'
import { diagnose, loopsIn } from '../../../../host/diagnosis.ts'
import { ANSWER, type Command, INJECTION, FORK } from '../../contract/command.ts'
import { THREAD_FILTER } from '../../contract/contract.ts'
import { name, seqInBody } from '../../contract/endpoint.ts'
import { type CommandContext, performCommand } from '../../endpoints/commands.ts'
import { stateAt } from '../../endpoints/threads.ts'

/** A tool of the server. */
export interface McpTool {
  readonly name: string
  readonly description: string
  readonly input: z.ZodObject
  readonly writes: boolean
  readonly run: (context: CommandContext, args: never) => Promise<object>
}

const toolOf = <Shape extends z.ZodRawShape>(
  name: string,
  description: string,
  shape: Shape,
  run: (context: CommandContext, args: z.infer<z.ZodObject<Shape>>) => Promise<object>,
): McpTool => ({ name, description, input: z.object(shape), writes: false, run })

const thread = name.describe('The name of the thread.')

/** Characters of one event that `show` returns. */
const EVENT_MAX = 2_000

const READS: readonly McpTool[] = [
  toolOf(
    'threads',
    'List threads by name, with their graph, status, last event, last loop, escapes and cost.',
    {
      ...THREAD_FILTER,
      after: THREAD_FILTER.after.describe('The last name of the previous page.'),
      limit: z.int().min(1).max(200).default(50),
    },
    ({ runtime }, filter) => runtime.threads(defined(filter)),
  ),
  toolOf(
    'why_stuck',
    'Why a thread does not progress: what it waits for, its loops with their cost, the escapes it has tried, and its open questions.',
    { thread },
    async ({ runtime }, { thread }) => diagnose(runtime.thread(thread), Date.now()),
  ),
  toolOf(
    'loops',
    'All findings of a thread, oldest first: what repeated, how often, what it cost, and the escape that followed.',
    { thread },
    async ({ runtime }, { thread }) => ({ loops: loopsIn(await runtime.thread(thread).rows()) }),
  ),
  toolOf(
    'show',
    'The state of a thread, now or after event `at`, and its last events.',
    { thread, at: seqInBody.optional(), events: z.int().min(0).max(200).default(30) },
    async ({ runtime }, { thread, at, events }) => {
      const handle = runtime.thread(thread)
      const state = await stateAt(handle, at)
      const after = Math.max(-1, state.seq - events)
      const rows = events === 0 ? [] : await handle.rows({ after, limit: events })
      return { state, events: rows.map(({ event, seq }) => ({ seq, ...excerptOf(event) })) }
    },
  ),
]

type CommandArgs = Readonly<Record<string, unknown>> & { readonly thread: string }

/** A tool that applies a command to a thread. */
const commandTool = (
  name: 'answer' | 'fork' | 'inject',
  description: string,
  shape: z.ZodRawShape,
): McpTool => ({
  ...{ name, description, input: z.object({ thread, ...shape }), writes: true },
  run: (context, { thread, ...terms }: CommandArgs) =>
    performCommand(context, thread, { do: name, ...terms } as unknown as Command),
})

const WRITES: readonly McpTool[] = [
  commandTool(
    'fork',
    'Copy a thread up to event `at`, to try another way. `effects` says what the copy may do, `change` has policy overrides. It starts at once.',
    FORK,
  ),
  commandTool(
    'answer',
    'Answer an open question of a thread. `why_stuck` lists them with the possible answers.',
    ANSWER,
  ),
  commandTool(
    'inject',
    'Have the next attempts of a tool or model of a thread fail, to see how it escapes, or answer them with `result`. The external system is not called.',
    INJECTION,
  ),
]

/** The tools of a caller. */
export const toolsFor = (mayWrite: boolean): readonly McpTool[] =>
  mayWrite ? [...READS, ...WRITES] : READS

function excerptOf(event: object): object {
  const text = JSON.stringify(event)
  if (text.length <= EVENT_MAX) return event
  const { type, at } = event as { type: string; at: number }
  return { type, at, cut: `${text.slice(0, EVENT_MAX)}… (${text.length} characters)` }
}
