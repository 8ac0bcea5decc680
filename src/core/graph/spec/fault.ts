/** What is wrong with a spec, as a list of paths and expectations. */
import type { z } from 'zod'
import { type Fault, isTypo, kindOf, pathOf, unknownKey } from '../../watch/data/fault.ts'

export type { Fault } from '../../watch/data/fault.ts'

/** The path of what concerns the spec as a whole. */
export const SPEC = '(the spec)'

type Issue = z.core.$ZodIssue

/** One line for each thing wrong, at the place where it is wrong: unions are followed into the branch that was meant. `whole` names what was read. */
export function faultsOf(
  issues: readonly Issue[],
  prefix: readonly PropertyKey[] = [],
  whole = SPEC,
): Fault[] {
  return issues.flatMap(issue => {
    const path = [...prefix, ...issue.path]
    if (issue.code === 'invalid_union' && issue.message === 'Invalid input')
      return faultsOf(likelyBranch(issue.errors), path, whole)
    if (issue.code === 'unrecognized_keys')
      return issue.keys.map(key => ({
        path: pathOf([...path, key], whole),
        message: unknownKey(key, knownKeys(issue)),
      }))
    if (issue.code === 'invalid_key')
      return faultsOf(issue.issues, path, whole).map(fault => ({
        ...fault,
        path: pathOf(path, whole),
      }))
    return [{ path: pathOf(path, whole), message: issueText(issue) }]
  })
}

/** What zod is to say where its own words help nobody: that something is missing, and, of what nobody knows, which keys there are. */
export function messageFor(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.code === 'invalid_type' && issue.input === undefined)
    return `is missing; expected ${issue.expected}`
  if (issue.code !== 'unrecognized_keys') return undefined
  const { shape } = (issue.inst as z.core.$ZodObject | undefined)?._zod.def ?? {}
  return shape && KNOWN + Object.keys(shape).join(', ')
}

/** The same for what people write as YAML: it has maps and lists. */
export function specMessageFor(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.code !== 'invalid_type') return messageFor(issue)
  const { expected, input } = issue
  const said = WORDS[expected] ?? expected
  return input === undefined
    ? `is missing; expected ${said}`
    : `expected ${said}, received ${kindOf(input)}`
}

const WORDS: Readonly<Record<string, string>> = {
  record: 'a map',
  object: 'a map',
  array: 'a list',
}

/** What was probably meant by an unknown name, or the names there are. */
export function nameHint(name: string, known: readonly string[]): string {
  const near = known.find(other => isTypo(name, other))
  return near === undefined
    ? `expected one of: ${listNames(known) || '(none is declared)'}`
    : `did you mean '${near}'?`
}

const KNOWN = 'expected one of: '

/** The keys that the message of an issue lists. */
function knownKeys({ message }: Issue): readonly string[] {
  return message.startsWith(KNOWN) ? message.slice(KNOWN.length).split(', ') : []
}

const DISCRIMINATORS: readonly PropertyKey[] = ['use', 'final']

/** The branch the writer had in mind: the one whose type fits, whose kind fits, and of those the one with the least wrong. */
function likelyBranch(all: readonly (readonly Issue[])[]): readonly Issue[] {
  const ofType = all.filter(
    issues => !issues.some(({ code, path }) => code === 'invalid_type' && path.length === 0),
  )
  const branches = ofType.length > 0 ? ofType : all
  const byKind = branches.filter(issues => !issues.some(isOfKind))
  const nearest =
    (byKind.length > 0 ? byKind : branches).toSorted((a, b) => a.length - b.length)[0] ?? []
  if (byKind.length > 0) return nearest
  const told = branches.flat().find(issue => isOfKind(issue) && issue.code !== 'invalid_union')
  return told ? [told] : nearest
}

function isOfKind({ path: [key, ...rest], message }: Issue): boolean {
  return (
    rest.length === 0 &&
    (DISCRIMINATORS.includes(key ?? '') || (key === 'regions' && message.startsWith('is missing')))
  )
}

function issueText(issue: Issue): string {
  return issue.message.replace(/^Invalid (input|option|key in record|string): /, '')
}

/** The most names a message lists. */
const LISTED_MAX = 24

/** Names to choose among, in a message. */
export function listNames(names: readonly string[]): string {
  const more = names.length - LISTED_MAX
  return more > 0 ? `${names.slice(0, LISTED_MAX).join(', ')} and ${more} more` : names.join(', ')
}
