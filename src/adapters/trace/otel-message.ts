/** Messages as spans hold them: as JSON, as attributes with numbered names, or as events. Their fields differ, what they tell does not. */
import type { Json } from '../../core/watch/json.ts'
import { textOf } from '../../core/watch/normalize/answer-features.ts'
import { contentText, parseArgs } from './conversation.ts'
import { type Fields, isMap } from './fields.ts'

export interface Message {
  readonly role: string
  readonly text: string
  readonly calls: readonly { readonly id: string; readonly tool: string; readonly args: Json }[]
  /** What came of calls; without its id, nobody knows of which. */
  readonly answers: readonly { readonly id: string; readonly text: string }[]
}

/** The messages of a list, or of JSON that is one. */
export function messagesIn(given: unknown): readonly Message[] {
  const list = parseArgs(given)
  return Array.isArray(list) ? list.filter(isMap).map(messageOf) : []
}

/** The messages of `prefix.0.role`, `prefix.0.content`, `prefix.0.tool_calls.0.name` and so on. */
export function numbered(attributes: Fields, prefix: string): readonly Message[] {
  const tree: Tree = new Map()
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith(`${prefix}.`))
      insertPath(tree, name.slice(prefix.length + 1).split('.'), value)
  }
  return messagesIn(listsOf(tree))
}

export function messageOf(given: Fields): Message {
  const message = isMap(given.message) ? given.message : given
  const role = textAt(message.role)
  const parts = Array.isArray(message.parts) ? message.parts.filter(isMap) : []
  const text = [
    ...parts.flatMap(({ type, content }) =>
      type === 'text' && typeof content === 'string' ? [content] : [],
    ),
    contentOf(message),
  ]
    .filter(Boolean)
    .join('\n')
  const called = [...parts.filter(({ type }) => type === 'tool_call'), ...callsOf(message)]
  const answered = parts
    .filter(({ type }) => type === 'tool_call_response')
    .map(({ id, response, result }) => ({
      id: textAt(id),
      text: textOf((response ?? result ?? null) as Json),
    }))
  const id = textAt(message.tool_call_id) || textAt(message.id)
  return {
    role,
    text,
    calls: called.flatMap(callOf),
    answers: role === 'tool' && parts.length === 0 ? [{ id, text }] : answered,
  }
}

function contentOf({ content, contents }: Fields): string {
  const parts = Array.isArray(contents)
    ? contents.map(part =>
        isMap(part) && isMap(part.message_content) ? part.message_content : part,
      )
    : []
  return content === undefined || content === null ? contentText(parts) : contentText(content)
}

function callsOf({ tool_calls: given }: Fields): readonly Fields[] {
  const calls = parseArgs(given)
  return Array.isArray(calls)
    ? calls.filter(isMap).map(call => (isMap(call.tool_call) ? call.tool_call : call))
    : []
}

function callOf(call: Fields): Message['calls'] {
  const asked = isMap(call.function) ? call.function : call
  const tool = textAt(asked.name) || textAt(asked.toolName)
  return tool === ''
    ? []
    : [
        {
          id: textAt(call.id) || textAt(call.toolCallId),
          tool,
          args: parseArgs(asked.arguments ?? asked.input ?? asked.args),
        },
      ]
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

/** Branches with numbers are lists. */
function listsOf(tree: Tree): unknown {
  const entries = [...tree].map(
    ([name, branch]) => [name, branch instanceof Map ? listsOf(branch) : branch.value] as const,
  )
  if (!entries.every(([name]) => /^\d+$/.test(name))) return Object.fromEntries(entries)
  return entries.toSorted(([one], [other]) => Number(one) - Number(other)).map(([, value]) => value)
}
