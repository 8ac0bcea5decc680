/** `escapement/dbos`: threads as durable workflows of DBOS Transact, on many processes. */
export { type DbosOptions, type DbosWorker, dbosWorker } from './host/dbos/worker.ts'
