/** The command that drives threads as workflows of DBOS, together with other processes on the same database. */
import { once } from 'node:events'
import { nodeOwner } from '../../../adapters/node/ports.ts'
import { spanIn } from '../../../core/watch/data/duration.ts'
import { defined } from '../../../core/watch/data/json.ts'
import { thrownText } from '../../../core/watch/failure/thrown-text.ts'
import { dbosWorker } from '../../../host/dbos/worker.ts'
import { createRuntime } from '../../../host/runtime.ts'
import { isPostgresUrl, withoutPassword } from '../../../runtime/store/store-url.ts'
import { type App, EXIT, parseWholeNumber, UsageError } from '../app/app.ts'
import { graphsIn } from './serve.ts'
import { withStore } from './thread.ts'

interface WorkerOptions {
  readonly json?: boolean
  readonly postgres: string
  readonly graphs: string
  readonly concurrency: string
  readonly fleet?: string
  readonly rate?: string
  readonly drain: string
}

export async function worker(app: App, options: WorkerOptions): Promise<number> {
  const { postgres: url, fleet } = options
  if (!isPostgresUrl(url))
    throw new UsageError(
      `--postgres ${withoutPassword(url)}: expected postgres://USER:PASSWORD@HOST:PORT/DATABASE`,
    )
  const drain = spanIn(options.drain)
  if (drain === undefined)
    throw new UsageError(`--drain ${options.drain}: expected a duration, such as 20s`)
  const limits = defined({
    concurrency: placesIn('--concurrency', options.concurrency),
    globalConcurrency: fleet === undefined ? undefined : placesIn('--fleet', fleet),
    rateLimit: options.rate === undefined ? undefined : rateIn(options.rate),
  })
  const { concurrency, globalConcurrency = concurrency } = limits
  if (globalConcurrency < concurrency)
    throw new UsageError(
      `--fleet ${globalConcurrency}: expected at least --concurrency, which is ${concurrency}`,
    )
  const graphs = await graphsIn(app, options.graphs)
  return withStore({ store: url, creates: true }, async store => {
    const runtime = createRuntime({ store, graphs, workspace: app.cwd })
    const { redact } = nodeOwner()
    const onError = (error: unknown, thread?: string) =>
      app.err(`${thread === undefined ? '' : `${thread}: `}${thrownText(error, redact)}\n`)
    const running = await dbosWorker(runtime, { url, ...limits, onError })
    const names = graphs.map(({ machine }) => machine.id)
    if (options.json) app.out(`${JSON.stringify({ graphs: names })}\n`)
    else app.out(`driving threads of ${names.join(', ')}\n`)
    const stop = AbortSignal.any([app.signal, app.leave])
    const hurried = app.drainsFor(drain)
    if (!stop.aborted) await once(stop, 'abort')
    hurried.addEventListener('abort', () => void runtime.close(), { once: true })
    await running.close({ drain })
    return EXIT.goal
  })
}

/** How many threads a worker or a fleet drives at once. DBOS keeps it in 32 bits. @throws UsageError */
function placesIn(option: string, text: string): number {
  const places = parseWholeNumber(option, text)
  if (places < 1 || places > NUMBER_MAX)
    throw new UsageError(`${option} ${text}: expected a number from 1 to ${NUMBER_MAX}`)
  return places
}

const NUMBER_MAX = 2_147_483_647

/** @throws UsageError */
function rateIn(text: string) {
  const [amount = '', period = ''] = text.split('/')
  const ms = spanIn(period)
  const limit = /^\d+$/.test(amount) ? Number(amount) : 0
  if (limit < 1 || limit > NUMBER_MAX || !ms)
    throw new UsageError(`--rate ${text}: expected a number per duration, such as 100/1s`)
  return { limitPerPeriod: limit, periodSec: ms / 1_000 }
}
