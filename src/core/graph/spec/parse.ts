/** A spec from any value, in the manner of zod: `parseSpec` throws, `safeParseSpec` returns. */
import type { Fault } from './fault.ts'
import { readSpec } from './read.ts'
import { type Spec, spec } from './spec.ts'

/** What is wrong at one path. `invalid-shape`: the value has another form; `unsound`: it has the form and contradicts itself. */
export interface SpecIssue extends Fault {
  readonly code: 'invalid-shape' | 'unsound'
}

/** The value is not a sound graph. `issues` lists everything that is wrong, each with its path. */
export class InvalidSpec extends Error {
  override readonly name = 'InvalidSpec'
  readonly code = 'invalid-spec'
  readonly issues: readonly SpecIssue[]
  constructor(issues: readonly SpecIssue[]) {
    super(issues.map(({ path, message }) => `${path}: ${message}`).join('\n'))
    this.issues = issues
  }
}

/** Whether an error is an `InvalidSpec`. */
export function isInvalidSpec(error: unknown): error is InvalidSpec {
  return error instanceof InvalidSpec
}

/** The names a spec declares, where the compiler knows its value. */
export interface SpecNames {
  readonly nodes: string
  readonly tools: string
  readonly models: string
}

/** A spec whose names the compiler knows: `bindGraph` accepts implementations for these names only. */
export type NamedSpec<Names extends SpecNames = SpecNames> = Spec & { readonly '~names'?: Names }

type KeysOf<V, K extends string> =
  V extends Readonly<Record<K, infer Of>> ? keyof Of & string : never

/** The names in a value whose type is known; any names in another. */
type NamesIn<V> = unknown extends V
  ? SpecNames
  : { nodes: KeysOf<V, 'nodes'>; tools: KeysOf<V, 'tools'>; models: KeysOf<V, 'models'> }

/**
 * The spec in a value, with its defaults.
 *
 * @throws InvalidSpec
 * @example
 * const spec = parseSpec(YAML.parse(text))
 */
export function parseSpec<const V>(value: V): NamedSpec<NamesIn<V>> {
  const parsed = safeParseSpec(value)
  if (parsed.success) return parsed.data
  throw parsed.error
}

/**
 * The spec in a value, or the error that `parseSpec` throws.
 *
 * @example
 * const parsed = safeParseSpec(value)
 * if (!parsed.success) console.error(parsed.error.issues)
 */
export function safeParseSpec<const V>(
  value: V,
):
  | { readonly success: true; readonly data: NamedSpec<NamesIn<V>> }
  | { readonly success: false; readonly error: InvalidSpec } {
  const read = readSpec(value)
  if (read.spec) return { success: true, data: read.spec }
  const code = spec.safeParse(value).success ? 'unsound' : 'invalid-shape'
  return { success: false, error: new InvalidSpec(read.faults.map(of => ({ ...of, code }))) }
}
