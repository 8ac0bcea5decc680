/** How many attempts a client made by itself before it threw its last error. An earlier one may have taken effect. */
import { fieldOf } from '../data/foreign-field.ts'

/** Where clients say it: the path of a number, and what to add for the first attempt. */
const SAID_AT: readonly (readonly [path: readonly string[], first: 0 | 1])[] = [
  // The SDK of AWS, and p-retry.
  [['$metadata', 'attempts'], 0],
  [['attemptNumber'], 0],
  // axios-retry, gaxios and the clients of Google, got.
  [['config', 'axios-retry', 'retryCount'], 1],
  [['config', 'retryConfig', 'currentRetryAttempt'], 1],
  [['request', 'retryCount'], 1],
]

/** The attempts behind a thrown error, if its client says that there were several. */
export function attemptsOf(error: unknown): number | undefined {
  const said = SAID_AT.map(([path, first]) => {
    const count = path.reduce(fieldOf, error)
    return typeof count === 'number' && Number.isSafeInteger(count) ? count + first : 1
  })
  const attempts = Math.max(...said, retriesOfUndici(error))
  return attempts > 1 ? attempts : undefined
}

/** The retry handler of undici counts retries, and throws this error only after one. */
const retriesOfUndici = (error: unknown): number =>
  fieldOf(error, 'code') === 'UND_ERR_REQ_RETRY' ? 2 : 1
