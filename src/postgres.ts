/** `escapement/postgres`: a store for many processes. */
export type { PostgresOptions } from './adapters/store/postgres/options.ts'
export { postgresStore } from './adapters/store/postgres/postgres-store.ts'
