/** Messages in spans: as JSON, as attributes with numbered names, or as events. */
import type { Json } from '../../core/watch/data/json.ts'
import { contentText, jsonText, parseArgs } from './acts.ts'
import { type Fields, isMap } from './fields.ts'

export interface Message {
  readonly role: string
  readonly text: string
  readonly calls: readonly { readonly id: string; readonly tool: string; readonly args: Json }[]
  /** The results of calls. An empty id names no call. */
  readonly answers: readonly { readonly id: string; readonly text: string }[]
}

/** The messages of a list, or of a JSON text with a list. */
export function messagesIn(given: unknown): readonly Message[] {
  return mapsIn(given).map(messageOf)
}

/** The messages of `prefix.0.role`, `prefix.0.content`, `prefix.0.tool_calls.0.name` and so on. */
export function numberedMessages(attributes: Fields, prefix: string): readonly Message[] {
  const tree: Tree = new Map()
  for (const [name, value] of Object.entries(attributes))
    if (name.startsWith(`${prefix}.`))
      insertPath(tree, name.slice(prefix.length + 1).split('.'), value)
  return messagesIn(listsOf(tree))
}

export function messageOf(given: Fields): Message {
  const message = mapOr(given.message, given)
  const role = textAt(message.role)
  const parts = Array.isArray(message.parts) ? message.parts.filter(isMap) : []
  const ofType = (type: string) => parts.filter(part => part.type === type)
  const texts = ofType('text').map(({ content }) => textAt(content))
  const text = [...texts, contentOf(message)].filter(Boolean).join('\n')
  const calls = mapsIn(message.tool_calls).map(call => mapOr(call.tool_call, call))
  const answers = ofType('tool_call_response').map(({ id, response, result }) => {
    return { id: textAt(id), text: jsonText(response ?? result) }
  })
  const id = textAt(message.tool_call_id) || textAt(message.id)
  const isAnswer = role === 'tool' && parts.length === 0
  const allCalls = [...ofType('tool_call'), ...calls].flatMap(callOf)
  return { role, text, calls: allCalls, answers: isAnswer ? [{ id, text }] : answers }
}

function mapsIn(given: unknown): readonly Fields[] {
  const list = parseArgs(given)
  return Array.isArray(list) ? list.filter(isMap) : []
}

function contentOf({ content, contents }: Fields): string {
  if (content !== undefined && content !== null) return contentText(content)
  const parts: readonly unknown[] = Array.isArray(contents) ? contents : []
  return contentText(parts.map(part => (isMap(part) ? mapOr(part.message_content, part) : part)))
}

function callOf(call: Fields): Message['calls'] {
  const fn = mapOr(call.function, call)
  const tool = textAt(fn.name) || textAt(fn.toolName)
  const id = textAt(call.id) || textAt(call.toolCallId)
  const args = parseArgs(fn.arguments ?? fn.input ?? fn.args)
  return tool === '' ? [] : [{ id, tool, args }]
}

function mapOr(value: unknown, otherwise: Fields): Fields {
  return isMap(value) ? value : otherwise
}

function textAt(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

type Tree = Map<string, Tree | { readonly value: unknown }>

function insertPath(tree: Tree, [name = '', ...more]: readonly string[], value: unknown): void {
  if (more.length === 0) return void tree.set(name, { value })
  const known = tree.get(name)
  const branch: Tree = known instanceof Map ? known : new Map()
  tree.set(name, branch)
  insertPath(branch, more, value)
}

/** A branch with numbered names is a list. */
function listsOf(tree: Tree): unknown {
  const entries = [...tree].map(
    ([name, branch]) => [name, branch instanceof Map ? listsOf(branch) : branch.value] as const,
  )
  if (!entries.every(([name]) => /^\d+$/.test(name))) return Object.fromEntries(entries)
  return entries.toSorted(([one], [other]) => Number(one) - Number(other)).map(([, value]) => value)
}
