/** The lint findings of a graph in a test. */
import { parse } from 'yaml'
import { lint, type LintFinding } from '../../src/core/graph/lint/lint.ts'
import { readSpec } from '../../src/core/graph/spec/read.ts'
import type { Spec } from '../../src/core/graph/spec/spec.ts'

/** A sound spec that starts in A; the nodes and what else there is, as a value. */
export function specOf(parts: object): Spec {
  const read = readSpec({ escapement: 1, id: 'test', start: 'A', ...parts })
  if (read.faults) throw new Error(JSON.stringify(read.faults))
  return read.spec
}

export function linted(yaml: string): readonly LintFinding[] {
  return lint(specOf(parse(yaml) as object))
}

/** `error rule path` of each finding. */
export function found(yaml: string): readonly string[] {
  return linted(yaml).map(({ severity, rule, path }) => `${severity} ${rule} ${path}`)
}

export function foundOf(rule: string, yaml: string): readonly string[] {
  return found(yaml).filter(line => line.split(' ')[1] === rule)
}
