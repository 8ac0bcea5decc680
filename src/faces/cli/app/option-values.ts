/** Values of options: parsed and checked. */
import { readFile, stat } from 'node:fs/promises'
import { InvalidArgumentError } from 'commander'
import { spanIn } from '../../../core/watch/data/duration.ts'
import type { Json } from '../../../core/watch/data/json.ts'
import { SPENDABLE } from '../../../core/watch/event/call-event.ts'
import type { ScopeKey } from '../../../runtime/store/store.ts'
import type { MaxSpent } from '../print/tables.ts'
import { UsageError } from './app.ts'

const INPUT_CHARACTERS_MAX = 4_194_304

/** The value of `--input`: JSON, or `@file`. */
export async function jsonInput(given: string): Promise<Json> {
  const text = given.startsWith('@') ? await fileText(given) : given
  if (text.length > INPUT_CHARACTERS_MAX)
    throw new UsageError(
      `--input has ${text.length} characters; the maximum is ${INPUT_CHARACTERS_MAX}`,
    )
  return parseJson('--input', text)
}

async function fileText(given: string): Promise<string> {
  try {
    return await readFile(given.slice(1), 'utf8')
  } catch (error) {
    const { code = '', message } = error as { code?: string; message: string }
    const known = { ENOENT: 'file not found', EISDIR: 'is a folder, not a file' }[code]
    throw new UsageError(`--input ${given}: ${known ?? message}`)
  }
}

/** @throws UsageError */
export function parseJson(option: string, text: string): Json {
  try {
    return JSON.parse(text) as Json
  } catch (error) {
    throw new UsageError(`${option} is not JSON: ${(error as Error).message}`)
  }
}

/** @throws UsageError */
export function parseScope(option: string, text: string): ScopeKey {
  const [, scope, key] = /^([^=]+)=(.+)$/s.exec(text) ?? []
  if (scope === undefined || key === undefined)
    throw new UsageError(`${option} '${text}': expected SCOPE=KEY`)
  return { scope, key }
}

/** @throws UsageError */
export function parseWholeNumber(option: string, text: string): number {
  if (!/^\d{1,15}$/.test(text))
    throw new UsageError(`${option} expects a whole number, not '${text}'`)
  return Number(text)
}

/** @throws UsageError */
export async function checkFolder(option: string, folder: string): Promise<void> {
  const found = await stat(folder).catch(() => undefined)
  if (found?.isDirectory()) return
  throw new UsageError(`${option} ${folder}: ${found ? 'is not a folder' : 'folder not found'}`)
}

/** @throws InvalidArgumentError */
export function parseMax(text: string): MaxSpent {
  const [, name = '', amount = ''] = /^(\w+)=(.+)$/.exec(text) ?? []
  const unit = SPENDABLE.find(each => each === name)
  if (!unit)
    throw new InvalidArgumentError(`expected unit=amount, the unit one of ${SPENDABLE.join(', ')}.`)
  const isDuration = unit === 'duration'
  const value = isDuration ? (spanIn(amount) ?? Number.NaN) : Number(amount)
  if (value >= 0 && Number.isFinite(value)) return { [unit]: value }
  const expected = isDuration ? 'a duration, such as 30s or 10m' : 'a number'
  throw new InvalidArgumentError(`${unit} expects ${expected}, not '${amount}'.`)
}
