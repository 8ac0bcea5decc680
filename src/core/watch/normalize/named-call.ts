/**
 * The call that a dispatcher makes: `use_mcp_tool { tool_name: "search", arguments: "{…}" }` is a search.
 *
 * Hard case: `create_user { name: "search", parameters: {…} }` calls nothing. A `name` counts only if the tool says that it calls tools.
 */
import { isMap, isTooDeep, type Json, parseJson } from '../data/json.ts'
import { spacedName } from '../text/tool-name.ts'

export interface NamedCall {
  readonly tool: string
  readonly args: Json
  /** What else the dispatcher is told, such as a server; absent for a call that is not dispatched. */
  readonly beside?: Json
}

const TOOL = /^(?:mcp_?)?(?:tool|function)(?:_?(?:name|slug))?$/i
const NAME = /^name$/i
const ARGUMENTS =
  /^(?:arguments|args|input|params|parameters|tool_?(?:arguments|args|input|params))$/i
/** A tool that calls others: `call_tool`, `useMcpTool`, `mcp_invoke`. */
const CALLS = /\b(?:call|use|invoke|run|exec|execute|dispatch)\b/i
const TOOLS = /\b(?:tools?|mcp|functions?|skill)\b/i
const RECORD = /^\s*\{/

/** The call that a dispatcher makes. Any other call is itself. */
export const namedCall = (tool: string, args: Json): NamedCall =>
  dispatched(tool, args) ?? dispatched(tool, onlyCall(args)) ?? { tool, args }

/** The one call of a list of calls. */
function onlyCall(args: Json): Json {
  const lists = isMap(args) ? Object.values(args).filter(value => Array.isArray(value)) : []
  const [calls, ...others] = lists
  return others.length === 0 && calls?.length === 1 ? (calls[0] ?? null) : null
}

type Field = readonly [name: string, value: Json]

function dispatched(dispatcher: string, args: Json): NamedCall | undefined {
  if (!isMap(args)) return undefined
  const spaced = spacedName(dispatcher)
  const calls = CALLS.test(spaced) && TOOLS.test(spaced)
  const fields = Object.entries(args)
  const isName = ([name, value]: Field) =>
    typeof value === 'string' && (TOOL.test(name) || (calls && NAME.test(name)))
  const tool = fields.find(isName)?.[1]
  const given = fields.find(([name]) => ARGUMENTS.test(name))
  const inner = given && recordOf(given[1])
  if (typeof tool !== 'string' || inner === undefined) return undefined
  return { tool, args: inner, beside: Object.fromEntries(fields.filter(field => field !== given)) }
}

/** A record, also as JSON. */
function recordOf(value: Json): Json | undefined {
  const record = typeof value === 'string' && RECORD.test(value) ? parseJson(value) : value
  return isMap(record) && !isTooDeep(record) ? record : undefined
}
