/** Removes the secrets of the environment from texts of custom code: of the modules of a graph, and of the parts in them. */
import { redactor } from '../runtime/redaction/redact.ts'
import { secretsIn } from '../runtime/redaction/secret-variables.ts'

/** Reads the environment at the first text: a program may define its graphs before it loads its settings. */
export function redactEnvironment(): <T>(value: T) => T {
  let redact: (<T>(value: T) => T) | undefined
  return value => {
    redact ??= redactor(secretsIn(process.env))
    return redact(value)
  }
}
