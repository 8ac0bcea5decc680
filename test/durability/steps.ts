/** The steps of a thread of the fleet. */
export const STEPS = 20
