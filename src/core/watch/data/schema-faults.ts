/** The faults that zod finds, each with its path and the expectation. */
import type { z } from 'zod'
import { type Fault, isTypo, kindOf, NOT_CHECKED, pathOf, unknownKey } from './fault.ts'
import { FAULTS_MAX } from './read-bounded.ts'

export type { Fault } from './fault.ts'

/** The path of faults that concern the spec as a whole. */
export const SPEC = '(the spec)'

type Issue = z.core.$ZodIssue
type Path = readonly PropertyKey[]

/** One fault for each issue, at its place, or the first ones if there are many: unions are resolved to the branch the writer meant. `whole` names the value itself. */
export function faultsOf(issues: readonly Issue[], prefix: Path = [], whole = SPEC): Fault[] {
  const faults: Fault[] = []
  let open = issues.length
  for (const issue of issues) {
    // The branches of nested unions share their issues: resolved without an end, they would double at each level.
    if (faults.length >= FAULTS_MAX) break
    faults.push(...faultsOfOne(issue, prefix, whole))
    open--
  }
  if (open === 0 && faults.length <= FAULTS_MAX) return faults
  const rest = { path: pathOf(prefix, whole), message: NOT_CHECKED }
  return [...faults.slice(0, FAULTS_MAX - 1), rest]
}

function faultsOfOne(issue: Issue, prefix: Path, whole: string): Fault[] {
  const path = [...prefix, ...issue.path]
  const place = pathOf(path, whole)
  if (issue.code === 'invalid_union' && issue.message === 'Invalid input')
    return faultsOf(likelyBranch(issue.errors), path, whole)
  if (issue.code === 'unrecognized_keys')
    return issue.keys.slice(0, FAULTS_MAX).map(key => {
      return { path: pathOf([...path, key]), message: unknownKey(key, knownKeys(issue)) }
    })
  if (issue.code === 'invalid_key')
    return faultsOf(issue.issues, path, whole).map(fault => ({ ...fault, path: place }))
  const message = issue.message.replace(/^Invalid (input|option|key in record|string): /, '')
  return [{ path: place, message }]
}

/** Replaces zod's messages for missing values and unknown keys. */
export function messageFor(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.code === 'invalid_type' && issue.input === undefined)
    return `is missing; expected ${issue.expected}`
  if (issue.code === 'invalid_value' && issue.values.length > 1)
    return choiceMessage(issue.input, issue.values)
  if (issue.code !== 'unrecognized_keys') return undefined
  const { shape } = (issue.inst as z.core.$ZodObject | undefined)?._zod.def ?? {}
  return shape && KNOWN + Object.keys(shape).join(', ')
}

/** The message for a value that is not among those listed. */
export function choiceMessage(input: unknown, values: readonly unknown[]): string {
  const texts = values.map(value => JSON.stringify(value)).join('|')
  const expected = `expected ${values.length > 1 ? 'one of ' : ''}${texts}`
  if (input === undefined) return `is missing; ${expected}`
  const near = values.find(value => typeof input === 'string' && isTypo(input, String(value)))
  return near === undefined ? expected : `${expected}; did you mean '${near}'?`
}

/** The same in the terms of YAML, which has maps and lists. */
export function specMessageFor(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.code !== 'invalid_type') return messageFor(issue)
  const { expected, input } = issue
  const type = YAML_TYPES[expected] ?? expected
  return input === undefined
    ? `is missing; expected ${type}`
    : `expected ${type}, received ${kindOf(input)}`
}

const YAML_TYPES: Record<string, string> = { record: 'a map', object: 'a map', array: 'a list' }

/** The name that was probably meant, or all known names. */
export function nameHint(name: string, known: readonly string[]): string {
  const near = known.find(other => isTypo(name, other))
  return near === undefined
    ? `expected one of: ${listNames(known) || '(none is declared)'}`
    : `did you mean '${near}'?`
}

const KNOWN = 'expected one of: '

const knownKeys = ({ message }: Issue): readonly string[] =>
  message.startsWith(KNOWN) ? message.slice(KNOWN.length).split(', ') : []

/** The branch whose type fits, whose kind fits, and of those the one with the fewest issues. */
function likelyBranch(all: readonly (readonly Issue[])[]): readonly Issue[] {
  const isOfType = ({ code, path }: Issue) =>
    path.length > 0 || (code !== 'invalid_type' && code !== 'invalid_value')
  const ofType = all.filter(issues => issues.every(isOfType))
  const branches = ofType.length > 0 ? ofType : all
  const ofKind = branches.filter(issues => !issues.some(isOfKind))
  const candidates = ofKind.length > 0 ? ofKind : branches
  const nearest = candidates.toSorted((a, b) => a.length - b.length)[0] ?? []
  if (ofKind.length > 0) return nearest
  const kind = branches.flat().find(issue => isOfKind(issue) && issue.code !== 'invalid_union')
  return kind ? [kind] : nearest
}

/** Whether an issue concerns the key that distinguishes the kinds of nodes. */
function isOfKind({ path: [key, ...rest], message }: Issue): boolean {
  if (rest.length > 0) return false
  return (
    key === 'use' || ((key === 'final' || key === 'regions') && message.startsWith('is missing'))
  )
}

/** The most names a message lists. */
const LISTED_MAX = 24

/** Names to choose among, in a message. */
export function listNames(names: readonly string[]): string {
  const more = names.length - LISTED_MAX
  return more > 0 ? `${names.slice(0, LISTED_MAX).join(', ')} and ${more} more` : names.join(', ')
}
