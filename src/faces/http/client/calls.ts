/** The endpoints of the contract as functions. A new endpoint is callable without further code. */
import type { z } from 'zod'
import { CONTRACT } from '../contract/contract.ts'
import type { Endpoint } from '../contract/endpoint.ts'
import type { RequestOptions, Requests } from './requests.ts'

type Contract = typeof CONTRACT

/** The endpoints of the service by their ids in OpenAPI. */
export type Calls = { readonly [K in keyof Contract]: CallOf<Contract[K]> }

type CallOf<E extends Endpoint> = (
  ...args: object extends InputOf<E>
    ? [input?: InputOf<E>, options?: RequestOptions]
    : [input: InputOf<E>, options?: RequestOptions]
) => Promise<ResultOf<E>>

/** What a request of an endpoint needs: the parameters of its path, its query and its body. */
type InputOf<E extends Endpoint> = ParamsOf<E['path']> &
  (E extends { readonly query: z.ZodType<infer Query> }
    ? { readonly query?: Undefinable<Query> }
    : object) &
  (E extends { readonly body: z.ZodType<unknown, infer Body> } ? { readonly body: Body } : object) &
  (E extends { readonly accepts: readonly string[] } ? { readonly text: string } : object)

type ParamsOf<Path extends string> = [NamesIn<Path>] extends [never]
  ? object
  : { readonly params: Readonly<Record<NamesIn<Path>, string>> }

type NamesIn<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | NamesIn<Rest>
  : never

type Undefinable<T> = { readonly [K in keyof T]?: T[K] | undefined }

/** A stream or a text is a `Response`, JSON its value. */
type ResultOf<E extends Endpoint> = E extends { readonly returns: string }
  ? Response
  : E extends { readonly response: z.ZodType<infer Value> }
    ? Value
    : E extends { readonly status: 204 }
      ? undefined
      : unknown

interface Input {
  readonly params?: Readonly<Record<string, string>>
  readonly query?: object
  readonly body?: unknown
  readonly text?: string
}

/** The functions of all endpoints. */
export function callsOf(requests: Requests): Calls {
  const calls = Object.entries<Endpoint>(CONTRACT).map(([id, endpoint]) => [
    id,
    (input?: Input, options?: RequestOptions) => call(requests, endpoint, input, options),
  ])
  return Object.fromEntries(calls)
}

async function call(
  requests: Requests,
  { method, path: template, accepts, returns, status }: Endpoint,
  { params = {}, query = {}, body, text }: Input = {},
  options: RequestOptions = {},
): Promise<unknown> {
  const path = template.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(params[name] ?? ''))
  const sent =
    text === undefined
      ? { body: JSON.stringify(body), type: 'application/json' }
      : { body: text, type: accepts?.[0] ?? 'text/plain' }
  const content = body === undefined && text === undefined ? {} : sent
  const request = { method: method.toUpperCase(), query, ...content, ...options }
  const response = await requests.send(path, request)
  if (returns !== undefined) return response
  return status === 204 ? undefined : response.json()
}
