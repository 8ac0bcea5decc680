/** Answers that a person gives in place of a tool or model. */
import { z } from 'zod'
import { firstFaults, type OrFaults } from '../../core/watch/data/fault.ts'
import { hash, type Json } from '../../core/watch/data/json.ts'
import { readBounded } from '../../core/watch/data/read-bounded.ts'
import { faultsOf, messageFor } from '../../core/watch/data/schema-faults.ts'
import type { Injection } from '../../core/watch/event/event.ts'
import { factsOf } from '../../core/watch/failure/failure.ts'
import type { Reason } from '../../core/watch/reason/reason.ts'
import type { ModelReply } from '../model-message.ts'
import type { Graph } from '../ports.ts'

/** Why an injection does not fit the graph. A result of a tool is checked as a real one. */
export function injectionRejection(
  { tools, models }: Pick<Graph, 'tools' | 'models'>,
  { kind, name, result }: Injection,
): Reason | undefined {
  const of = kind === 'tool' ? tools : models
  if (!Object.hasOwn(of, name))
    return { code: 'unknown-name', params: { kind, name, known: Object.keys(of) } }
  if (result === undefined) return undefined
  const fault = kind === 'tool' ? resultFault({ tools, name, result }) : replyFault(result)
  return fault === undefined ? undefined : { code: 'invalid-result', params: { name, fault } }
}

type ToolResult = Pick<Graph, 'tools'> & Readonly<{ name: string; result: Json }>

function resultFault({ tools, name, result }: ToolResult): string | undefined {
  try {
    tools[name]?.checkResult?.(result)
    return undefined
  } catch (error) {
    return factsOf(error).message
  }
}

function replyFault(result: Json): string | undefined {
  const { faults } = readReply(result, '')
  return faults && firstFaults(faults).join('; ')
}

const CALL = z.strictObject({ id: z.string().min(1).optional(), tool: z.string(), args: z.json() })
const REPLY = z.strictObject({
  text: z.string().default(''),
  reasoning: z.string().optional(),
  calls: z.array(CALL).default([]),
})

/** The reply in place of a model: a text, or `{ text, reasoning, calls }`. Calls without an id get one from the id of the model call. */
export function readReply(result: Json, call: string): OrFaults<{ readonly reply: ModelReply }> {
  const given = typeof result === 'string' ? { text: result } : result
  const { data, issues } = readBounded(REPLY, given, messageFor)
  if (issues) return { faults: faultsOf(issues, [], 'result') }
  const { calls, reasoning, text } = data
  const named = calls.map(({ id, tool, args }, index) => {
    return { id: id ?? `injected_${hash(call)}_${index + 1}`, tool, args: args as Json }
  })
  return { reply: { text, calls: named, ...(reasoning !== undefined && { reasoning }) } }
}
