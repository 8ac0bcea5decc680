/** Effects that delay an attempt or make it fail. Latency adds up, and the first failure wins. */
import { errorOfClass } from '../../kit/tools/simple.ts'
import type { Calling } from '../../runtime/ports.ts'
import { lognormal } from '../process/chance.ts'
import type { Latency } from '../scenario/effect.ts'
import type { Effects } from './call.ts'

type Sleeping = Pick<Calling, 'sleep'>

/** Sleeps for the latencies, and throws the first failure. */
export async function delayOrFail({ hits, chance }: Effects, { sleep }: Sleeping): Promise<void> {
  for (const { fault, effect } of hits)
    if (effect.latency !== undefined)
      await sleep(Math.round(lengthOf(effect.latency, fault, chance)))
  for (const { effect } of hits) {
    if (effect.hang) await sleep(Number.POSITIVE_INFINITY)
    if (effect.timeout !== undefined) {
      await sleep(effect.timeout)
      throw connectionError('the service did not answer in time', 'ETIMEDOUT')
    }
    if (effect.error) throw errorOfClass(effect.error)
  }
}

export const connectionError = (message: string, code: string): Error =>
  Object.assign(new Error(message), { name: 'ServiceError', code })

function lengthOf(latency: Latency, fault: string, chance: Effects['chance']): number {
  if (typeof latency === 'number') return latency
  const one = chance(`${fault} latency`)
  if ('from' in latency) return latency.from + one * (latency.to - latency.from)
  return latency.median * lognormal(latency.sigma, [one, chance(`${fault} latency 2`)])
}
