/** Changes a spec before it is checked: `limits.steps=20`, as the command line takes them. */
import { parse } from 'yaml'

/** A setting that cannot be laid over the spec. */
export class BadSetting extends Error {
  override readonly name = 'UsageError'
}

const FORBIDDEN: readonly string[] = ['__proto__', 'prototype', 'constructor']

/** The value with each `path=value` set; the value is read as YAML. The given value stays unchanged. @throws BadSetting */
export function withSettings(value: unknown, settings: readonly string[]): unknown {
  return settings.reduce((spec, setting) => {
    const equals = setting.indexOf('=')
    const path = setting.slice(0, equals).split('.')
    if (path.some(key => key === '' || FORBIDDEN.includes(key)))
      throw new BadSetting(`--set ${setting}: '${path.join('.')}' is not a path of a spec`)
    return withValue(spec, path, valueOf(setting, setting.slice(equals + 1)))
  }, value)
}

function valueOf(setting: string, text: string): unknown {
  try {
    return parse(text)
  } catch (error) {
    throw new BadSetting(`--set ${setting}: ${(error as Error).message.split('\n')[0]}`)
  }
}

function withValue(spec: unknown, [key = '', ...rest]: readonly string[], value: unknown): unknown {
  const map =
    typeof spec === 'object' && spec !== null && !Array.isArray(spec)
      ? (spec as Record<string, unknown>)
      : {}
  return {
    ...map,
    [key]:
      rest.length === 0
        ? value
        : withValue(Object.hasOwn(map, key) ? map[key] : undefined, rest, value),
  }
}
