/** The faults of a value in words for a form. */
import type { z } from 'zod'

const TYPES: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
}

const COUNTED: Readonly<Record<string, string>> = {
  string: 'characters',
  array: 'items',
  object: 'keys',
  record: 'keys',
}

/** Returns `undefined` where the words of the service fit a form, too. */
export function faultWords(issue: z.core.$ZodRawIssue): string | undefined {
  switch (issue.code) {
    case 'invalid_type':
      if (issue.input === undefined || issue.input === null) return 'This field is required.'
      return `Expected ${TYPES[issue.expected] ?? issue.expected}.`
    case 'invalid_value':
      if (issue.input === undefined) return 'This field is required.'
      return `Expected one of: ${issue.values.map(String).join(', ')}.`
    case 'too_small':
      return boundText(
        issue.origin,
        issue.inclusive === false ? 'more than' : 'at least',
        issue.minimum,
      )
    case 'too_big':
      return boundText(
        issue.origin,
        issue.inclusive === false ? 'less than' : 'at most',
        issue.maximum,
      )
    case 'not_multiple_of':
      return `Expected a multiple of ${issue.divisor}.`
    case 'invalid_format':
      return `Expected the format ${formatText(issue)}.`
    default:
      return undefined
  }
}

function boundText(origin: string, bound: string, limit: number | bigint): string {
  const unit = COUNTED[origin]
  return unit === undefined ? `Expected ${bound} ${limit}.` : `Expected ${bound} ${limit} ${unit}.`
}

const formatText = ({ format, pattern }: { format: string; pattern?: unknown }): string =>
  format === 'regex' ? String(pattern) : format
