/** The client of the service: `escapement/client`. */
export { type Client, type ClientOptions, type ClientThread } from './faces/http/client.ts'
export { createClient, ServiceError } from './faces/http/client.ts'
