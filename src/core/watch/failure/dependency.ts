import type { ResourceKind } from '../call-event.ts'

/** What a thread depends on, as it keeps book of it: `tool:search`, `model:fast`. */
export function dependencyOf(kind: ResourceKind, subject: string): string {
  return `${kind}:${subject}`
}
