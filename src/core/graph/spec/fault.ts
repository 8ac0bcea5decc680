/** What is wrong with a spec, as a list of paths and expectations. */
import type { z } from 'zod'

/** `path` reads `nodes.B.on.done`; `message` says what was expected. */
export interface Fault {
  readonly path: string
  readonly message: string
}

type Issue = z.core.$ZodIssue

/** One line for each thing wrong, at the place where it is wrong: unions are followed into the branch that was meant. */
export function faultsOf(issues: readonly Issue[], prefix: readonly PropertyKey[] = []): Fault[] {
  return issues.flatMap(issue => {
    const path = [...prefix, ...issue.path]
    if (issue.code === 'invalid_union' && issue.message === 'Invalid input') return faultsOf(meant(issue.errors), path)
    if (issue.code === 'unrecognized_keys') return issue.keys.map(key => ({ path: pathOf([...path, key]), message: 'is not known here' }))
    if (issue.code === 'invalid_key') return faultsOf(issue.issues, path).map(fault => ({ ...fault, path: pathOf(path) }))
    return [{ path: pathOf(path), message: worded(issue) }]
  })
}

const DISCRIMINATORS: readonly PropertyKey[] = ['use', 'final']

/** The branch the writer had in mind: the one whose kind fits, and of those the one with the least wrong. */
function meant(branches: readonly (readonly Issue[])[]): readonly Issue[] {
  const byKind = branches.filter(issues => !issues.some(isOfKind))
  const nearest = (byKind.length > 0 ? byKind : branches).toSorted((a, b) => a.length - b.length)[0] ?? []
  if (byKind.length > 0) return nearest
  const told = branches.flat().find(issue => isOfKind(issue) && issue.code !== 'invalid_union')
  return told ? [told] : nearest
}

function isOfKind(issue: Issue): boolean {
  return issue.path.length === 1 && DISCRIMINATORS.includes(issue.path[0] ?? '')
}

function worded(issue: Issue): string {
  return issue.message.replace(/^Invalid (input|option|key in record|string): /, '')
}

export function pathOf(path: readonly PropertyKey[]): string {
  return path.reduce<string>((text, key) => (typeof key === 'number' ? `${text}[${key}]` : text === '' ? String(key) : `${text}.${String(key)}`), '') || '(the spec)'
}
