/** Idempotency keys: a repeated request has the effect of one. */
import { canonical, hash, type Json } from '../../../core/watch/data/json.ts'
import type { CommandOptions } from '../../../host/drive/command.ts'
import { nameOfValue } from '../../../runtime/store/value-name.ts'
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

/** What identifies a request with an `Idempotency-Key`: a thread takes an `id` once, and the store a name for `once`. Each caller has its own keys. @throws Refused for a key of another request */
export async function identify(
  { runtime, request, caller }: Pick<Call<unknown, unknown>, 'runtime' | 'request' | 'caller'>,
  thread: string,
  body: Json,
): Promise<Pick<CommandOptions, 'id' | 'once'>> {
  const key = request.headers.get('idempotency-key')
  if (key === null) return {}
  if (!/^[\x21-\x7e]{1,200}$/.test(key))
    throw new Refused(422, 'invalid-key', 'Idempotency-Key: expected 1 to 200 visible characters')
  const of = [caller?.name ?? null, thread, key]
  if (!(await runtime.isSameRequest(canonical(of), body)))
    throw new Refused(422, 'key-reused', 'this Idempotency-Key was used with another request')
  return { id: hash(canonical(['command', ...of])), once: nameOfValue('made', of) }
}
