/** Fakes for the contexts that the runtime passes to nodes and tools. */
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { ToolRequest } from '../../src/core/watch/event/call-event.ts'
import type { Failure } from '../../src/core/watch/failure/failure.ts'
import { type Json, draw } from '../../src/core/watch/data/json.ts'
import type { Message, ModelAnswer } from '../../src/runtime/model-message.ts'
import type {
  Answer,
  Calling,
  ChildAnswer,
  ModelRequest,
  Task,
  Tool,
} from '../../src/runtime/ports.ts'

/** An outage of a resource. */
export const DOWN: Failure = {
  name: 'Error',
  message: 'down',
  class: 'transient',
  scope: 'resource',
  rule: 'http-transient',
  status: 503,
}

export const NO: Failure = {
  name: 'ServiceError',
  message: 'no',
  class: 'persistent',
  scope: 'resource',
  rule: 'http-credentials',
  status: 401,
}

interface FakeTask extends Partial<Pick<Task, 'unavailable'>> {
  readonly input?: Readonly<Record<string, Json>>
  readonly lessons?: readonly string[]
  readonly rejections?: number
  readonly tools?: readonly Tool[]
  readonly answer?: Answer<Partial<ModelAnswer>>
  /** Answers calls of tools; default: echoes the arguments. */
  readonly called?: (tool: string, args: Json) => Answer<Json>
  /** Runs graphs; default: each succeeds with its input. */
  readonly ran?: (graph: string, input: Json) => ChildAnswer | Promise<ChildAnswer>
}

/** A task that answers at once and remembers what it was asked. */
export function fakeTask({
  input = {},
  lessons = [],
  rejections = 0,
  tools = [],
  unavailable = {},
  answer = { ok: true, value: {} },
  called = (_, args) => ({ ok: true, value: args }),
  ran = (_, result) => ({ outcome: 'success', reason: 'goal', result }),
}: FakeTask) {
  const requests: ModelRequest[] = []
  const calls: { tool: string; args: Json }[] = []
  const runs: { graph: string; input: Json }[] = []
  const call = async (tool: string, args: Json): Promise<Answer<Json>> => {
    calls.push({ tool, args })
    return called(tool, args)
  }
  const task: Task = {
    thread: 'thread',
    effect: 'node#1',
    node: 'node',
    input,
    round: 1,
    lessons,
    rejections,
    forgotten: [],
    requested: [],
    signal: new AbortController().signal,
    tools: Object.fromEntries(tools.map(tool => [tool.name, tool])),
    unavailable,
    draw: purpose => draw(1, 'node#1', purpose),
    async ask(_, request) {
      requests.push(request)
      return answer.ok
        ? {
            ok: true,
            value: {
              call: 'node#1/1',
              text: '',
              calls: [],
              usage: { input: 0, output: 0, cached: 0, usd: 0 },
              ...answer.value,
            },
          }
        : answer
    },
    call,
    batch: requested => Promise.all(requested.map(({ tool, args }) => call(tool, args))),
    run: async (graph, input) => {
      runs.push({ graph, input })
      return ran(graph, input)
    },
    report: async () => {},
  }
  return { task, requests, calls, runs }
}

/** A call of a tool or a model. `slept` collects the waits, which take no time. */
export function fakeCall({
  attempt = 1,
  seed = 1,
  key = 'thread/act#1/1',
  signal = new AbortController().signal,
}: {
  attempt?: number
  seed?: number
  key?: string
  signal?: AbortSignal
} = {}) {
  const slept: number[] = []
  const deltas: string[] = []
  const call: Calling & { onDelta: (text: string) => void } = {
    idempotencyKey: key,
    fencingToken: 1,
    redact: same => same,
    attempt,
    signal,
    sleep: async ms => void slept.push(ms),
    draw: purpose => draw(seed, key, attempt, purpose),
    tried: () => {},
    onDelta: text => void (text && deltas.push(text)),
  }
  return { ...call, slept, deltas }
}

export const user = (content: string): Message => ({ role: 'user', content })

export const asking = (content: string, ...calls: readonly ToolRequest[]): Message => ({
  role: 'assistant',
  content,
  calls,
})

export const result = (call: string, tool = 'look', content = '"seen"'): Message => ({
  role: 'tool',
  call,
  tool,
  content,
  ok: true,
})

export const request = (id: string, tool = 'look', args: Json = {}): ToolRequest => ({
  id,
  tool,
  args,
})

/** A folder with these files, gone after the test; `links` are symbolic links and where they lead. */
export async function folderWith(
  files: Readonly<Record<string, string | Uint8Array>>,
  links: Readonly<Record<string, string>> = {},
): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'escapement-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), content)
  }
  for (const [path, target] of Object.entries(links)) await symlink(target, join(folder, path))
  return folder
}
