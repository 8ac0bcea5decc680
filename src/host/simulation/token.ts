/** A simulated run as one word: a scenario, its policy and its seed, to paste into an issue. */
import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { isMap, type Json } from '../../core/watch/data/json.ts'
import { InvalidScenario } from '../../simulate/scenario/scenario.ts'

/** `folder`: where the paths of the scenario start, relative to the current folder. */
export interface RunToken {
  readonly folder: string
  readonly scenario: Json
  readonly policy: string
  readonly seed: number
}

const PREFIX = 'esc1:'
const CHARACTERS_MAX = 100_000

export const isToken = (text: string): boolean => text.startsWith(PREFIX)

export const tokenOf = (run: RunToken): string =>
  PREFIX + deflateRawSync(JSON.stringify(run)).toString('base64url')

const isRun = (value: { readonly [Key in keyof RunToken]?: Json }): value is RunToken =>
  typeof value.folder === 'string' &&
  typeof value.policy === 'string' &&
  typeof value.seed === 'number' &&
  value.scenario !== undefined

/** @throws InvalidScenario */
export function readToken(text: string): RunToken {
  try {
    const bytes = Buffer.from(text.slice(PREFIX.length), 'base64url')
    const json = inflateRawSync(bytes, { maxOutputLength: CHARACTERS_MAX }).toString()
    const value = JSON.parse(json) as Json
    if (isMap(value) && isRun(value)) return value
  } catch {
    // The message below says what was expected.
  }
  throw new InvalidScenario([
    {
      path: '(the token)',
      message: 'is cut or was changed; expected esc1: as `sim shrink` prints it',
    },
  ])
}
