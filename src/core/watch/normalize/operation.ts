/** What one tool of several operations is to do. Its reads say nothing of its writes. */
import { isMap, type Json } from '../data/json.ts'
import { commandSkeleton } from '../text/command-skeleton.ts'

const OPERATION = /^(?:(?:http_?)?method|action|operation|op|verb|mode|kind|type)$/i
const COMMAND = /^(?:command|cmd|script)$/i
/** One word. */
const WORD = /^[a-z][\w.-]{0,31}$/i
const STATEMENT =
  /^\s*(select|with|insert|update|delete|merge|create|alter|drop|truncate|grant|call)\b/i

/** In lower case; `undefined` if the call has none. */
export function operationOf(args: Json): string | undefined {
  if (!isMap(args)) return undefined
  const words = Object.entries(args).flatMap(([name, value]) => {
    if (typeof value !== 'string') return []
    if (OPERATION.test(name)) return WORD.test(value) ? [value] : []
    if (COMMAND.test(name)) return commandSkeleton(value) ?? []
    return STATEMENT.exec(value.slice(0, 200))?.[1] ?? []
  })
  return words.length > 0 ? words.join(' ').toLowerCase() : undefined
}
