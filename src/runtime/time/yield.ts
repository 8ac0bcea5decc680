/** After so many calls, or so many ms, without a turn of the event loop, a caller waits for one: timers and signals get a chance to run. */
export const YIELD_EVERY = 32
export const YIELD_AFTER = 50
