import { readFile } from 'node:fs/promises'
import type { Json } from '../../../core/watch/data/json.ts'
import { UsageError } from './app.ts'

/** Characters of an input. */
const INPUT_MAX = 4_194_304

/** What `--input` gives: JSON, or `@file`. */
export async function jsonInput(given: string): Promise<Json> {
  const text = given.startsWith('@') ? await textOf(given) : given
  if (text.length > INPUT_MAX)
    throw new UsageError(`--input has ${text.length} characters; at most ${INPUT_MAX} are taken`)
  return jsonFrom('--input', text)
}

/** @throws UsageError */
export function jsonFrom(option: string, text: string): Json {
  try {
    return JSON.parse(text) as Json
  } catch (error) {
    throw new UsageError(`${option} is not JSON: ${(error as Error).message}`)
  }
}

async function textOf(given: string): Promise<string> {
  try {
    return await readFile(given.slice(1), 'utf8')
  } catch (error) {
    const { code = '', message } = error as { code?: string; message: string }
    throw new UsageError(
      `--input ${given}: ${{ ENOENT: 'there is no such file', EISDIR: 'is a folder' }[code] ?? message}`,
    )
  }
}
