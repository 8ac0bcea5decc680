/** The client of the service: `escapement/client`. */
export type { Calls } from './faces/http/client/calls.ts'
export type { Client } from './faces/http/client/client.ts'
export { createClient } from './faces/http/client/client.ts'
export type { ClientOptions, RequestOptions } from './faces/http/client/requests.ts'
export type { ClientThread } from './faces/http/client/thread.ts'
export { isServiceError, ServiceError } from './faces/http/client/requests.ts'
