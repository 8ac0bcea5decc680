import { lint } from '../../../core/graph/lint.ts'
import type { Json } from '../../../core/watch/json.ts'
import { type App, UsageError } from '../app.ts'
import { driveShown, graphOf, type OutputOptions, report, withStore } from './thread.ts'

export interface RunOptions extends OutputOptions {
  readonly input?: string
  readonly thread?: string
  readonly seed?: string
  readonly set: readonly string[]
  readonly workspace?: string
}

const INPUT_MAX = 4_194_304

/** What a thread begins with, and keeps. */
const ONLY_NEW = ['input', 'seed', 'workspace'] as const

/** Starts a thread, or takes up one that was started before, and drives it to its end or to a person. */
export async function run(app: App, file: string, options: RunOptions): Promise<number> {
  if (options.thread?.trim() === '') throw new UsageError('--thread expects a name')
  const loaded = await app.load(file, options.set)
  const errors = lint(loaded.spec).filter(({ severity, accepted }) => severity === 'error' && !accepted)
  if (errors.length > 0)
    throw new UsageError(`${errors.map(({ rule, path, message }) => `${file}: ${path}: ${message} (accept it by name with \`accept: ['${rule} ${path}']\`)`).join('\n')}`)
  const input = await inputOf(app, options.input)
  const seed = options.seed === undefined ? Math.floor(app.random() * 2 ** 31) : wholeNumber('--seed', options.seed)
  const graph = await app.bind(loaded, options.workspace ?? app.cwd)
  return withStore(app, options, async store => {
    const thread = options.thread ?? `${loaded.spec.id}-${Math.floor(app.random() * 36 ** 8).toString(36)}`
    const known = await store.thread(thread)
    const given = ONLY_NEW.find(option => options[option] !== undefined)
    if (known && given) throw new UsageError(`thread '${thread}' has been started already; --${given} is only for a new one`)
    if (known && known.specHash !== graph.machine.hash)
      throw new UsageError(`thread '${thread}' runs another graph, or another version of '${known.graph}'; use \`escapement resume ${thread}\``)
    // One that exists goes on with the files and the workspace it began with.
    const driven = { graph: known ? await graphOf(app, store, thread) : graph, store, thread, start: { input, seed }, seeded: options.seed !== undefined }
    return report(app, driven, await driveShown(app, driven, options), options)
  })
}

async function inputOf(app: App, given: string | undefined): Promise<Json> {
  if (given === undefined) return {}
  const text = given.startsWith('@') ? await textOf(app, given) : given
  if (text.length > INPUT_MAX) throw new UsageError(`--input has ${text.length} characters; at most ${INPUT_MAX} are taken`)
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
    throw new UsageError(`--input ${given}: ${{ ENOENT: 'there is no such file', EISDIR: 'is a folder' }[code] ?? message}`)
  }
}

export function wholeNumber(name: string, text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new UsageError(`${name} expects a whole number, not '${text}'`)
  return Number(text)
}
