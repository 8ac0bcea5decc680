/** Reads a spec from its file, changes it by settings (`limits.steps=20`), and writes it as YAML. */
import { parse, stringify } from 'yaml'
import type { Fault } from '../../core/watch/data/fault.ts'
import { readSpec } from '../../core/graph/spec/read.ts'
import type { Spec } from '../../core/graph/spec/spec.ts'
import { parserMessage, type PlacedFault, readSource } from './source.ts'

/** A spec and its file. `place` adds the position in the file to a fault. */
export interface SpecSource {
  readonly file: string
  readonly spec: Spec
  readonly faults?: undefined
  readonly place: (fault: Fault) => PlacedFault
}

export type SpecLoaded =
  | SpecSource
  | { readonly file: string; readonly spec?: undefined; readonly faults: readonly PlacedFault[] }

/**
 * Reads the spec in a file. `edit` may change the value before the check. Returns faults of the file and does not throw them.
 * @example const { spec, faults } = await loadSpec('graphs/ring.yaml')
 */
export async function loadSpec(
  file: string,
  edit: (value: unknown) => unknown = value => value,
): Promise<SpecLoaded> {
  const { source, faults } = await readSource(file)
  if (!source) return { file, faults }
  const read = readSpec(edit(source.value))
  return read.spec
    ? { file, spec: read.spec, place: source.place }
    : { file, faults: read.faults.map(source.place) }
}

/** A spec as YAML, without empty parts. `extends` is expanded. */
export function specText(spec: Spec): string {
  const isEmpty = (value: unknown) =>
    typeof value === 'object' && value !== null && Object.keys(value).length === 0
  const whole = Object.entries(spec).filter(([, value]) => !isEmpty(value))
  return stringify(Object.fromEntries(whole), { lineWidth: 0, aliasDuplicateObjects: false })
}

/** A setting does not fit the spec. */
export class BadSetting extends Error {
  override readonly name = 'UsageError'
}

const FORBIDDEN: readonly string[] = ['', '__proto__', 'prototype', 'constructor']

/** A copy of the value with each `path=value` set. The values are YAML. @throws BadSetting */
export function withSettings(value: unknown, settings: readonly string[]): unknown {
  return settings.reduce((spec, setting) => {
    const equals = setting.indexOf('=')
    const path = setting.slice(0, equals).split('.')
    if (path.some(key => FORBIDDEN.includes(key)))
      throw new BadSetting(`--set ${setting}: '${path.join('.')}' is not a path of a spec`)
    return withValue(spec, path, parseSetting(setting, setting.slice(equals + 1)))
  }, value)
}

function parseSetting(setting: string, text: string): unknown {
  try {
    return parse(text)
  } catch (error) {
    const shown = setting.length > 80 ? `${setting.slice(0, 80)}…` : setting
    throw new BadSetting(`--set ${shown}: ${parserMessage((error as Error).message, 'YAML')}`)
  }
}

function withValue(spec: unknown, [key = '', ...rest]: readonly string[], value: unknown): unknown {
  const isMap = typeof spec === 'object' && spec !== null && !Array.isArray(spec)
  const map = (isMap ? spec : {}) as Record<string, unknown>
  if (rest.length === 0) return { ...map, [key]: value }
  return { ...map, [key]: withValue(Object.hasOwn(map, key) ? map[key] : undefined, rest, value) }
}
