/** The words of a story's commands: values, errors and durations. */
import {
  type Classification,
  classify,
  type Facts,
  type Failure,
  type FailureRule,
  factsOf,
} from '../../src/core/watch/failure/failure.ts'
import { duration as durationSchema } from '../../src/core/graph/spec/policy-schema.ts'
import type { Json } from '../../src/core/watch/data/json.ts'

/** JSON, or else the text itself. */
export function valueOf(text: string): Json {
  try {
    return JSON.parse(text) as Json
  } catch {
    return text
  }
}

export function duration(text: string): number {
  return durationSchema.parse(text)
}

/** `search {"q":"x"}` or `search`: a name, and arguments, which are an empty object if absent. */
export function called(text: string): { readonly name: string; readonly args: Json } {
  const [, name = '', rest = ''] = /^([\w-]+)\s*(.*)$/.exec(text.trim()) ?? []
  return { name, args: rest === '' ? {} : valueOf(rest) }
}

/** `HTTP 503`, `code=ECONNRESET the line went dead`, `name=BusinessError no such order`, `HTTP 429 retry-after=20s`, `cause=code=EPIPE`. */
export function thrown(text: string): Error {
  const fields: Record<string, string> = {}
  const message = text.replace(
    /\b(name|code|retry-after|cause)=(\S+)\s*/g,
    (_, key: string, value: string) => {
      fields[key] = value
      return ''
    },
  )
  const error = new Error(
    message.trim() || 'failed',
    fields.cause === undefined ? {} : { cause: thrown(fields.cause) },
  )
  return Object.assign(error, {
    ...(fields.name === undefined ? {} : { name: fields.name }),
    ...(fields.code === undefined ? {} : { code: fields.code }),
    ...(fields['retry-after'] === undefined ? {} : { retryAfter: duration(fields['retry-after']) }),
  })
}

/** The error as the runtime would journal it. `class=indeterminate` says what only the runtime can know. */
export function failureOf(text: string, rules: readonly FailureRule[]): Failure {
  const forced = /\bclass=(\w+)\s*/.exec(text)
  const facts: Facts = factsOf(thrown(forced ? text.replace(forced[0], '') : text))
  const judged: Classification = forced
    ? { class: forced[1] as Failure['class'], scope: 'request', rule: 'story' }
    : classify(facts, rules)
  return { ...facts, ...judged }
}
