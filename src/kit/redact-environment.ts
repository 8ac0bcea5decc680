/** Removes the secrets of the environment from texts of custom code: of the modules of a graph, and of the parts in them. */
import { seeEnvironment } from '../runtime/redaction/process-secrets.ts'
import { redactor } from '../runtime/redaction/redact.ts'

/** Reads the environment at the first text: a program may define its graphs before it loads its settings. */
export function redactEnvironment(): <T>(value: T) => T {
  let redact: (<T>(value: T) => T) | undefined
  return value => {
    if (!redact) seeEnvironment(process.env)
    redact ??= redactor()
    return redact(value)
  }
}
