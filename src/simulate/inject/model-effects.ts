/** Misbehavior of a model: it repeats itself, breaks the form of its requests, or stops early. */
import { type Json, isMap, mapFields } from '../../core/watch/data/json.ts'
import { toolRequests } from '../../kit/model.ts'
import { withoutLessons } from '../../kit/prompt.ts'
import type { ModelReply } from '../../runtime/model-message.ts'
import type { Calling, ModelRequest } from '../../runtime/ports.ts'
import type { Effect } from '../scenario/effect.ts'
import type { Effects } from './call.ts'
import { delayOrFail } from './failing.ts'

/** What a model does again: its last answer, and how often from now on. */
export interface Habit {
  repeats: number
  last?: ModelReply
}

interface ModelWork {
  readonly request: ModelRequest
  readonly call: Pick<Calling, 'sleep' | 'idempotencyKey'>
  readonly habit: Habit
}

type Ask = (request: ModelRequest) => Promise<ModelReply>

export async function askWith(effects: Effects, work: ModelWork, ask: Ask): Promise<ModelReply> {
  const { request, call, habit } = work
  await delayOrFail(effects, call)
  const faults = effects.hits.map(({ effect }) => effect)
  habit.repeats = Math.max(habit.repeats, ...faults.map(({ stubborn = 0 }) => stubborn))
  const again = habit.repeats > 0 || faults.some(({ repeat, reword }) => repeat || reword)
  const reply = again ? repeated(work, wordsOf(faults, effects)) : undefined
  if (reply) {
    habit.repeats = Math.max(0, habit.repeats - 1)
    return reply
  }
  const blind = faults.some(({ ignoreHint }) => ignoreHint)
  const seen = blind ? { ...request, system: withoutLessons(request.system) } : request
  const fresh = faults.reduce(spoil, await ask(seen))
  habit.last = fresh
  return fresh
}

/** Words to add to a repeated request. */
function wordsOf(faults: readonly Effect[], { chance }: Effects): string | undefined {
  if (!faults.some(({ reword }) => reword)) return undefined
  return FILLERS[Math.floor(chance('reword') * FILLERS.length)]
}

const FILLERS = ['please', 'again', 'now', 'exactly', 'in detail', 'once more', 'the latest']

/** The last answer again. `undefined` before the first one. */
function repeated({ habit: { last }, call }: ModelWork, words?: string): ModelReply | undefined {
  if (!last) return undefined
  const requests = last.calls.map(({ tool, args }) => ({
    id: undefined,
    tool,
    args: { parsed: words === undefined ? args : reworded(args, words) },
  }))
  const text = words === undefined ? last.text : `${last.text} (${words})`
  return { text, calls: toolRequests(requests, call.idempotencyKey) }
}

/** Adds words to the first text of several words. */
function reworded(args: Json, words: string): Json {
  if (!isMap(args)) return args
  const key = Object.keys(args).find(name => /\s/.test(String(args[name])))
  return mapFields(args, (value, name) => (name === key ? `${value} ${words}` : value))
}

function spoil(reply: ModelReply, { malformedCall, unknownTool, earlyStop }: Effect): ModelReply {
  const [first, ...others] = reply.calls
  if (earlyStop) return { ...reply, text: reply.text || 'This is done.', calls: [] }
  if (!first) return reply
  if (malformedCall) return { ...reply, calls: [{ ...first, args: '{"query": "' }, ...others] }
  if (unknownTool) return { ...reply, calls: [{ ...first, tool: `${first.tool}_v2` }, ...others] }
  return reply
}
