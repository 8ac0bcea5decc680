/** A service under random requests, in one process and without a network. */
import { createRuntime } from '../../src/host/runtime.ts'
import { createApp, hashKey } from '../../src/http.ts'
import { memoryStore } from '../../src/runtime/store/memory-store.ts'
import { asking } from '../host/graphs.ts'
import { requestOf } from './requests.ts'

interface Fuzzed {
  /** The number of answers of each status. */
  readonly statuses: ReadonlyMap<number, number>
  /** Answers of 500 or more, and errors outside of requests. */
  readonly failed: readonly string[]
  readonly ms: number
}

/** Requests between two new services. A service with many threads answers slowly. */
const EACH = 2_000

export async function fuzz({
  requests,
  seed,
}: {
  requests: number
  seed: number
}): Promise<Fuzzed> {
  const statuses = new Map<number, number>()
  const failed: string[] = []
  const onError = (error: unknown) => void failed.push(`outside: ${String(error)}`)
  process.on('unhandledRejection', onError).on('uncaughtException', onError)
  const start = performance.now()
  for (let from = 0; from < requests; from += EACH)
    await fuzzOne(seed, from, Math.min(requests, from + EACH), statuses, failed)
  process.off('unhandledRejection', onError).off('uncaughtException', onError)
  return { statuses, failed, ms: performance.now() - start }
}

async function fuzzOne(
  seed: number,
  from: number,
  to: number,
  statuses: Map<number, number>,
  failed: string[],
): Promise<void> {
  const runtime = createRuntime({ store: memoryStore(), graphs: [asking()] })
  const keys = (['view', 'admin'] as const).map(role => {
    return { name: role, role, hash: hashKey(`key-${role}`) }
  })
  const errors: string[] = []
  const app = createApp(runtime, {
    keys,
    limits: { rate: 1e9, burst: 1e9 },
    log: line => line.error !== undefined && void errors.push(String(line.error)),
  })
  await runtime.start(runtime.graphs[0] as never, { goal: 'g' } as never, { thread: 'one' })
  for (let nth = from; nth < to; nth++) {
    const request = requestOf(seed, nth)
    const { method, url } = request
    const response = await app.fetch(request)
    await response.text()
    statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1)
    if (response.status >= 500)
      failed.push(`${nth} ${method} ${url.slice(0, 200)} ${response.status} ${errors.at(-1) ?? ''}`)
  }
  await runtime.close()
}
