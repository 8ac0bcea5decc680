/** What an attack reports. */

/** A violation of a rule, and the command that repeats it. */
export interface Violation {
  readonly rule: string
  readonly repeat: string
}

/** A row of the table: what was tried, how often, and what held. */
export interface Tried {
  readonly what: string
  readonly times: number
}

/** Reports progress: a name, what is done, and what is planned. */
export type Progress = (name: string, done: number, planned: number) => void
