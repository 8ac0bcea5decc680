/** The options of a store on Postgres. They name no type of `pg`, whose types a program may lack. */

/** The options of `postgresStore`. */
export interface PostgresOptions {
  /** Such as `postgres://user:password@host:5432/database?sslmode=require`. */
  readonly url: string
  /** The schema of the tables, which is created if it is missing. Default: that of the URL (`?schema=agents`), or `escapement`. */
  readonly schema?: string
  /** The most connections of this store. Default: 10. One more listens for changes. */
  readonly connections?: number
  /** How long one statement may take, in ms. Default: 30,000. */
  readonly statementTimeout?: number
  /** How long a call is tried again while the server is unreachable, in ms. Default: 10,000. */
  readonly patience?: number
}
