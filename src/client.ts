/** The client of the service: `escapement/client`. */
export type { Client, ClientOptions, ClientThread } from './faces/http/client.ts'
export { createClient, isServiceError, ServiceError } from './faces/http/client.ts'
