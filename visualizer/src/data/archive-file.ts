/** Reads an archive (`escapement export`) in the page. The file never leaves the browser. */
import type { Row } from '../../../src/core/run/run.ts'
import type { Json } from '../../../src/core/watch/data/json.ts'
import type { ThreadGraph } from '../../../src/host/thread/thread-graph.ts'
import { RunModel } from './run-model.ts'

const SIZE_MAX = 512 * 1_048_576

interface Header {
  readonly format: 'escapement'
  readonly threads: readonly {
    readonly thread: string
    readonly rows: number
    readonly source: string
  }[]
}

/** The threads of a file, the first one with its child threads after it. @throws Error that says what is wrong with the file */
export async function readArchive(file: Blob): Promise<readonly RunModel[]> {
  if (file.size > SIZE_MAX)
    throw new Error(`The file has ${file.size} bytes; the page opens at most ${SIZE_MAX}.`)
  const lines = (await textOf(file)).split('\n').filter(line => line !== '')
  const header = headerIn(lines[0])
  const kept = new Map<string, Json>()
  let next = 1
  for (; next < lines.length; next++) {
    const value = parsed(lines[next], next)
    if (typeof value.kept !== 'string') break
    kept.set(value.kept, value.value as Json)
  }
  const models: RunModel[] = []
  for (const { thread, rows: count, source } of header.threads) {
    const rows = lines
      .slice(next, next + count)
      .map((line, index) => parsed(line, next + index) as unknown as Row)
    if (rows.length < count || rows.some(row => typeof row.seq !== 'number'))
      throw new Error(
        `The file is incomplete: thread '${thread}' has ${count} events in its header.`,
      )
    next += count
    const model = new RunModel(thread, await graphIn(rows, kept.get(source)))
    model.journal.add(rows)
    model.setLink({ kind: 'file' })
    models.push(model)
  }
  return models
}

/** `gzip` is read too, as `escapement export` writes it with a name that ends with `.gz`. */
async function textOf(file: Blob): Promise<string> {
  const start = new Uint8Array(await file.slice(0, 2).arrayBuffer())
  const isGzip = start[0] === 0x1f && start[1] === 0x8b
  if (!isGzip) return file.text()
  return new Response(file.stream().pipeThrough(new DecompressionStream('gzip'))).text()
}

function headerIn(line: string | undefined): Header {
  const value = line === undefined ? {} : parsed(line, 0)
  if (value.format !== 'escapement' || !Array.isArray(value.threads))
    throw new Error(
      'This is not an archive of escapement. `escapement export THREAD --out FILE` writes one.',
    )
  return value as unknown as Header
}

function parsed(line: string | undefined, index: number): Readonly<Record<string, unknown>> {
  try {
    return JSON.parse(line ?? '')
  } catch {
    throw new Error(`Line ${index + 1} of the file is not JSON.`)
  }
}

/** The chart of a spec is compiled by the core, which is loaded for it. */
async function graphIn(rows: readonly Row[], source: Json | undefined): Promise<ThreadGraph> {
  const started = rows[0]?.event
  const specHash = started?.type === 'thread.started' ? started.specHash : ''
  const spec =
    source !== null && typeof source === 'object' && 'spec' in source ? source.spec : source
  if (spec === undefined || spec === null) return { graph: '', specHash }
  const { chartOfSpec } = await import('./restored.ts')
  const chart = chartOfSpec(spec as Json)
  const graph = (spec as { readonly id?: string }).id ?? ''
  return { graph, specHash, spec: spec as Json, ...(chart && { chart }) }
}
