/** `escapement/postgres`: a store for many processes. */
export type { PostgresOptions } from './adapters/store/postgres/connection.ts'
export { postgresStore } from './adapters/store/postgres/postgres-store.ts'
