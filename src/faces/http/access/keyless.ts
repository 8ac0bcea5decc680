/** The names of the callers without an API key. */

/** A page with the cookie of a session. */
export const SESSION = 'session'

/** A caller to whom the service gives a role without asking who it is. */
export const ANONYMOUS = 'anonymous'

/** Whether a key of this name would be taken for a caller without one. */
export const isReserved = (name: string): boolean => name === SESSION || name === ANONYMOUS
