/** Faults in what people write: where, and what was expected. One wording for specs, policies and changes of policies. */

/** `path` reads `nodes.B.on.done`; `message` says what was expected. */
export interface Fault {
  readonly path: string
  readonly message: string
}

/** A fault as it is found: `path` leads to it. */
export interface Problem {
  readonly path: readonly PropertyKey[]
  readonly message: string
}

/** `whole` stands for the path of the value as a whole. */
export function pathOf(path: readonly PropertyKey[], whole = ''): string {
  const steps = path.map(key => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`))
  return steps.join('').replace(/^\./, '') || whole
}

/** Keys of version 0.1.0, each with its name today. */
const RENAMED: Readonly<Record<string, string>> = {
  wall: 'duration',
  silence: 'noToolCall',
  monologue: 'repeatedText',
  chant: 'degenerateOutput',
}

/** The message for a key, or a name, that is not one of `known`. */
export function unknownKey(key: string, known: readonly string[]): string {
  const renamed = Object.hasOwn(RENAMED, key) ? RENAMED[key] : undefined
  if (renamed !== undefined && known.includes(renamed)) return `was renamed '${renamed}'`
  const near = known.find(other => isTypo(key, other))
  if (near !== undefined) return `is not known here: did you mean '${near}'?`
  return known.length > 0
    ? `is not known here; expected one of: ${known.join(', ')}`
    : 'is not known here'
}

/** Wrong by one letter: too many, too few or another, or two that have changed places; or by case alone. */
export function isTypo(typed: string, known: string): boolean {
  const [a, b] = [typed.toLowerCase(), known.toLowerCase()]
  const same = [...a].findIndex((letter, index) => letter !== b[index])
  const [restA, restB] = same < 0 ? ['', b.slice(a.length)] : [a.slice(same), b.slice(same)]
  const swapped = restA.charAt(1) + restA.charAt(0) + restA.slice(2)
  return (
    restA.slice(1) === restB.slice(1) ||
    restA.slice(1) === restB ||
    restA === restB.slice(1) ||
    swapped === restB
  )
}

/** The kind of a value, as YAML calls it. */
export function kindOf(value: unknown): string {
  if (value === null) return 'nothing'
  return typeof value === 'object' ? (Array.isArray(value) ? 'a list' : 'a map') : typeof value
}
