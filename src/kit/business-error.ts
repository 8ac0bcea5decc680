/**
 * The tool worked, and its answer is no: an order that cannot be cancelled any more, a file that holds no text.
 * Never retried, and no fault of the resource.
 */
export class BusinessError extends Error {
  override readonly name = 'BusinessError'
  readonly code = 'business'
}

/** Whether an error is a `BusinessError`. */
export function isBusinessError(error: unknown): error is BusinessError {
  return error instanceof BusinessError
}
