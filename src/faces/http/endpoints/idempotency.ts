/** Idempotency keys: a repeated request has the effect of one. */
import { canonical, hash, type Json } from '../../../core/watch/data/json.ts'
import { Refused } from '../contract/problem.ts'
import type { Endpoint } from '../contract/endpoint.ts'
import type { Call } from './handler.ts'

/** Refuses a key that would have no effect. @throws Refused */
export function checkKey({ path, method, takesKey }: Endpoint, request: Request): void {
  const isChange = method === 'post' && path.startsWith('/v1/')
  if (takesKey || !isChange || !request.headers.has('idempotency-key')) return
  const detail = 'Idempotency-Key is for starts and commands of threads; send this request without'
  throw new Refused(422, 'key-not-supported', detail)
}

/** The id of the command of a request with an `Idempotency-Key`. A thread takes an id once. Each caller has its own keys. @throws Refused for a key of another request */
export async function commandId(
  { runtime, request, caller }: Pick<Call<unknown, unknown>, 'runtime' | 'request' | 'caller'>,
  thread: string,
  body: Json,
): Promise<string | undefined> {
  const key = request.headers.get('idempotency-key')
  if (key === null) return undefined
  if (!/^[\x21-\x7e]{1,200}$/.test(key))
    throw new Refused(422, 'invalid-key', 'Idempotency-Key: expected 1 to 200 visible characters')
  if (!(await runtime.isSameRequest(canonical([caller?.name ?? null, thread, key]), body)))
    throw new Refused(422, 'key-reused', 'this Idempotency-Key was used with another request')
  return hash(canonical(['command', caller?.name ?? null, thread, key]))
}
