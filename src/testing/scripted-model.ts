/** A model that follows a script: for tests, demonstrations, and runs without a key or a network. */
import type { ModelSpec } from '../core/graph/spec/resource.ts'
import type { Json } from '../core/watch/data/json.ts'
import { canonical } from '../core/watch/data/signature.ts'
import type { Message, ModelReply } from '../runtime/model-message.ts'
import type { Calling, Model, ModelRequest } from '../runtime/ports.ts'
import { modelFields, toolRequests } from '../kit/model.ts'
import { lessonsIn } from '../kit/prompt.ts'
import type { Fault, Script, Turn } from './script.ts'

/** The script has no turn for this request. */
export class NoTurn extends Error {
  override readonly name = 'NoTurn'
  readonly code = 'no-turn'
}

/** Whether an error says that a script has no turn for a request. */
export function isNoTurn(error: unknown): error is NoTurn {
  return error instanceof NoTurn
}

/**
 * The first turn whose `when` holds and that is not used up answers. How often a turn was used is counted in the messages
 * of the request: the model keeps no state, and a thread that another process takes over goes on where it was.
 * @example const model = scriptedModel({ id: 'fast' }, [{ say: 'Three.', times: 'always' }])
 */
export function scriptedModel(
  spec: Pick<ModelSpec, 'id' | 'timeout'> & Partial<ModelSpec>,
  script: Script,
): Model {
  return {
    ...modelFields(spec.id, spec),
    async ask(request, call) {
      const used = usesIn(script, request.messages).map((uses, index) =>
        script[index]?.fail || script[index]?.hang ? call.attempt - 1 : uses,
      )
      return takeTurn(script[turnFor(script, request, used)] as Turn, call)
    },
  }
}

/** The index of the turn that answers. `used`: how often each has been taken. @throws NoTurn */
export function turnFor(script: Script, request: ModelRequest, used: readonly number[]): number {
  const index = script.findIndex(
    (turn, index) => (used[index] ?? 0) < most(turn) && fitsTurn(turn.when, request),
  )
  if (index >= 0) return index
  const { role = 'none', content = '' } = request.messages.at(-1) ?? {}
  const counts = script.map(({ times }, index) => `${index + 1}: ${used[index] ?? 0}/${times}`)
  throw new NoTurn(
    `the script has no turn for this request. Used so far: ${counts.join(', ')}. Last message (${role}): ${content.slice(0, 200)}`,
  )
}

/** Gives the answer of a turn, or its failure. */
export async function takeTurn(turn: Turn, call: Parameters<Model['ask']>[1]): Promise<ModelReply> {
  if (turn.hang) await call.sleep(Number.POSITIVE_INFINITY)
  if (turn.latency > 0) await call.sleep(turn.latency)
  if (turn.fail) throw faultOf(turn.fail)
  if (turn.say !== '') call.onDelta(turn.say)
  return replyOf(turn, call)
}

function most({ times }: Turn): number {
  return times === 'always' ? Number.POSITIVE_INFINITY : times
}

/** How often each turn has been taken, as the transcript shows. */
function usesIn(script: Script, messages: readonly Message[]): readonly number[] {
  const used = script.map(() => 0)
  for (const message of messages) {
    if (message.role !== 'assistant') continue
    const text = describeTurn(message.content, message.calls)
    const index = script.findIndex(
      (turn, at) =>
        !turn.fail && (used[at] ?? 0) < most(turn) && describeTurn(turn.say, turn.calls) === text,
    )
    if (index >= 0) used[index] = (used[index] ?? 0) + 1
  }
  return used
}

function describeTurn(
  text: string,
  calls: readonly { readonly tool: string; readonly args: unknown }[],
): string {
  return canonical([text, calls.map(({ tool, args }) => [tool, args])])
}

function fitsTurn(
  { lesson, system, text, tool, ok, offered }: Turn['when'],
  { system: prompt, messages, tools }: ModelRequest,
): boolean {
  const last = messages.at(-1)
  const matches = (pattern: string, value: string) => new RegExp(pattern, 'i').test(value)
  if (lesson !== undefined && !lessonsIn(prompt).some(each => matches(lesson, each))) return false
  if (system !== undefined && !matches(system, prompt)) return false
  if (text !== undefined && !matches(text, last?.content ?? '')) return false
  if (tool !== undefined && !(last?.role === 'tool' && last.tool === tool)) return false
  if (ok !== undefined && !(last?.role === 'tool' && last.ok === ok)) return false
  return offered === undefined || tools.some(({ name }) => name === offered)
}

function replyOf(
  { say, reasoning, calls, usage }: Turn,
  { idempotencyKey: key }: Calling,
): ModelReply {
  return {
    text: say,
    ...(reasoning === undefined ? {} : { reasoning }),
    calls: toolRequests(
      calls.map(({ tool, args }) => ({ id: undefined, tool, args: { parsed: args as Json } })),
      key,
    ),
    ...(usage ? { usage } : {}),
  }
}

export function faultOf({ status, name, code, message = 'the call failed' }: Fault): Error {
  return Object.assign(
    new Error(message),
    { name: name ?? 'ServiceError' },
    status === undefined ? {} : { status },
    code === undefined ? {} : { code },
  )
}
