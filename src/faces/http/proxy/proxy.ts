/** A proxy that injects faults between an agent, its model and its tools. The agent changes only their addresses. */
import type { Injector } from '../../../simulate/inject/injector.ts'
import { ConnectionLost } from '../../../simulate/proxy/connection-lost.ts'
import { McpFaults } from '../../../simulate/proxy/mcp-faults.ts'
import { ModelFaults } from '../../../simulate/proxy/model-faults.ts'
import { systemClock } from '../../../adapters/node/ports.ts'
import { Access } from '../access/access.ts'
import { parseBody, readBody } from '../access/limits.ts'
import { problemOf, Refused } from '../contract/problem.ts'
import { forward, passed } from './forward.ts'
import { relayWith } from './mcp-endpoint.ts'
import { completeWith } from './model-endpoint.ts'

export interface ProxyOptions {
  readonly injector: Injector
  /** The base URL of an OpenAI-compatible endpoint, such as http://127.0.0.1:8080/v1. */
  readonly model?: string
  /** The URL of a server of the Model Context Protocol. */
  readonly mcp?: string
}

/** Conversations are longer than the requests of a service. */
const BODY_BYTES = 16_777_216
const BODY_TIME = 30_000

/** What ends a connection without an answer. */
interface Connection {
  readonly outgoing?: { destroy(): unknown }
}

/** The fetch function of the proxy: `/v1/…` is the endpoint, `/mcp` the server. */
export function createProxy({ injector, model, mcp }: ProxyOptions) {
  const access = new Access({})
  const [models, tools] = [new ModelFaults(injector), new McpFaults(injector)]
  const respond = async (request: Request): Promise<Response> => {
    access.checkSource(request)
    const { pathname, search } = new URL(request.url)
    const sleep = (ms: number) => systemClock.sleep(ms, request.signal)
    const text = (await readBody(request, BODY_BYTES, BODY_TIME)).toString('utf8')
    if (model !== undefined && pathname.startsWith('/v1/')) {
      const url = `${model.replace(/\/+$/, '')}${pathname.slice('/v1'.length)}${search}`
      if (pathname === '/v1/chat/completions' && request.method === 'POST')
        return completeWith(models, { request, url, text, body: parseBody(text), sleep })
      if (GENERATING.test(pathname)) throw new Refused(501, 'unknown-path', ONLY_CHAT)
      return passOn(request, url, text)
    }
    if (mcp === undefined || pathname !== '/mcp')
      throw new Refused(404, 'unknown-path', `expected ${pathsOf({ model, mcp }).join(' or ')}`)
    if (request.method !== 'POST') return passOn(request, mcp, text)
    return relayWith(tools, { request, url: mcp, text, body: parseBody(text), sleep })
  }
  return async (request: Request, connection: Connection = {}): Promise<Response> => {
    try {
      return await respond(request)
    } catch (error) {
      // Nothing is sent on a destroyed connection, whatever the response is.
      if (error instanceof ConnectionLost || request.signal.aborted) connection.outgoing?.destroy()
      return refusal(error)
    }
  }
}

/** Answers of models that pass without faults would be mistaken for tested ones. */
const GENERATING = /^\/v1\/(responses|completions)$/
const ONLY_CHAT = 'the proxy injects faults into /v1/chat/completions only'

const pathsOf = ({ model, mcp }: Pick<Partial<ProxyOptions>, 'model' | 'mcp'>) => [
  ...(model === undefined ? [] : ['/v1/chat/completions']),
  ...(mcp === undefined ? [] : ['/mcp']),
]

async function passOn(request: Request, url: string, text: string): Promise<Response> {
  const response = await forward(request, url, text)
  return passed(response, response.body)
}

/** An error in the form that clients of OpenAI-compatible endpoints read. */
function refusal(error: unknown): Response {
  const { status, code, detail } = problemOf(error)
  return Response.json({ error: { message: detail, type: 'proxy', code } }, { status })
}
