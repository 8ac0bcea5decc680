/** An injected loss: the answer is lost with its connection. */
export class ConnectionLost extends Error {
  override readonly name = 'ConnectionLost'
}

/** Whether an error of a fault, or of a client that left, ends the connection. */
export const losesConnection = ({ name, code }: { name?: string; code?: string }): boolean =>
  code === 'ECONNRESET' || name === 'AbortError'
