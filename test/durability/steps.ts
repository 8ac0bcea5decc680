/** The steps of a thread of the fleet. From the middle on, a step waits as long as the gate is closed: an advisory lock of Postgres. */
export const STEPS = 20
export const HALF = STEPS / 2
export const GATE = 1_547
