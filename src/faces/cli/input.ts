import type { Json } from '../../core/watch/json.ts'
import { type App, UsageError } from './app.ts'

/** Characters of an input. */
const INPUT_MAX = 4_194_304

/** What `--input` gives: JSON, or `@file`. */
export async function jsonInput(app: App, given: string): Promise<Json> {
  const text = given.startsWith('@') ? await textOf(app, given) : given
  if (text.length > INPUT_MAX)
    throw new UsageError(`--input has ${text.length} characters; at most ${INPUT_MAX} are taken`)
  try {
    return JSON.parse(text) as Json
  } catch (error) {
    throw new UsageError(`--input is not JSON: ${(error as Error).message}`)
  }
}

async function textOf(app: App, given: string): Promise<string> {
  try {
    return await app.readText(given.slice(1))
  } catch (error) {
    const { code = '', message } = error as { code?: string; message: string }
    throw new UsageError(
      `--input ${given}: ${{ ENOENT: 'there is no such file', EISDIR: 'is a folder' }[code] ?? message}`,
    )
  }
}
