/**
 * Values by which languages, frameworks and protocols state that a call failed, whatever their words: an exception with its stack, a part
 * of an answer of the AI SDK, a task of A2A, a cell of Jupyter, and a body beside its status.
 *
 * Hard case: a tracker that stores the exceptions of others returns them with an id of its own. Therefore nothing but what belongs to an
 * exception may stand beside the stack.
 */
import { isMap, type Json } from '../data/json.ts'

/** Whether a record has one of these forms. `isBad`: whether a state says that a task failed. */
export function isFailureForm(record: JsonMap, isBad: (state: Json) => boolean): boolean {
  const { type, status } = record
  if (type === 'error-text' || type === 'error-json') return record.value !== undefined
  if (isMap(status) && status.state !== undefined) return isBad(status.state)
  if (isErrorOutput(record)) return true
  if (Array.isArray(record.outputs)) return record.outputs.some(isErrorOutput)
  return isException(Object.entries(record))
}

type JsonMap = Readonly<Record<string, Json>>

/** An output of a cell of Jupyter, which ends it. */
const isErrorOutput = (output: Json): boolean => isMap(output) && output.output_type === 'error'

const STACK = /^(?:stack(?:_?trace)?|traceback)$/i
const MESSAGE = /^(?:message|msg|reason)$/i
const OF_EXCEPTION =
  /^(?:(?:error_?)?(?:name|type|class|kind|code)|errno|syscall|path|address|port|cause|errors|line(?:_?number)?|column(?:_?number)?|file(?:_?name)?|status(?:_?code)?|level|time(?:stamp)?|details?|hint)$/i

const isException = (fields: readonly Field[]): boolean =>
  fields.some(isStack) &&
  fields.some(field => MESSAGE.test(field[0]) || isStackOfLines(field)) &&
  fields.every(([name]) => STACK.test(name) || MESSAGE.test(name) || OF_EXCEPTION.test(name))

type Field = readonly [name: string, value: Json]

/** Lines of a program. The stack of a deployment is a name. */
const isStack = ([name, value]: Field): boolean =>
  STACK.test(name) &&
  (typeof value === 'string'
    ? /\n\s*(?:at |from |File ")|^\s*(?:at \S|Traceback )/.test(value)
    : Array.isArray(value) && value.length > 0)

/** A traceback says itself what went wrong. */
const isStackOfLines = ([name, value]: Field): boolean =>
  STACK.test(name) &&
  (Array.isArray(value) ? value.some(isStackLine) : typeof value === 'string' && isStackLine(value))

/** The beginning of a traceback, or a place in it. */
export const isStackLine = (line: Json): boolean =>
  typeof line === 'string' &&
  /^\s*(?:Traceback \(most recent|at \S.*:\d+|File ".*", line \d)/.test(line)

/** A body and its status, as Flask and Rack return them: `[{…}, 403]`, `[403, {headers}, [body]]`. Another number beside a record may be a price. */
export function isRefusedResponse(list: readonly Json[]): boolean {
  const [first, second, third] = list
  if (list.length === 3) return isRefusal(first) && isMap(second) && Array.isArray(third)
  if (list.length !== 2) return false
  return (isRefusal(second) && explains(first)) || (isRefusal(first) && explains(second))
}

const explains = (body: Json | undefined): boolean =>
  isMap(body) && Object.keys(body).some(name => EXPLANATION.test(name))

const EXPLANATION = /^(?:message|msg|errors?|reason|details?|title)$/i

const isRefusal = (status: Json | undefined): boolean =>
  typeof status === 'number' && STATUSES.has(status)

const STATUSES: ReadonlySet<number> = new Set([
  ...[400, 401, 402, 403, 404, 405, 409, 410, 412, 413, 415, 422, 423, 429, 500, 502, 503, 504],
])
