/** OpenAPI 3.1 of the contract. */
import { z } from 'zod'
import { CONTRACT } from './contract.ts'
import { type Endpoint, Problem } from './endpoint.ts'

export function openapi(version: string) {
  const paths: Record<string, Record<string, unknown>> = {}
  for (const [id, of] of Object.entries<Endpoint>(CONTRACT))
    paths[of.path] = { ...paths[of.path], [of.method]: operationOf(id, of) }
  const key = { type: 'http', scheme: 'bearer' }
  const cookie = { type: 'apiKey', in: 'cookie', name: 'escapement' }
  return {
    openapi: '3.1.0',
    info: { title: 'escapement', version },
    paths,
    components: {
      schemas: { Problem: schemaOf(Problem, 'output') },
      securitySchemes: { key, cookie },
    },
  }
}

function operationOf(operationId: string, of: Endpoint) {
  const named = [...of.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
  const inPath = named.map(name => {
    return { name, in: 'path', required: true, schema: { type: 'string' } }
  })
  const content = {
    [of.returns ?? 'application/json']: {
      schema: of.response ? schemaOf(of.response, 'output') : {},
    },
  }
  const problem = {
    'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } },
  }
  const body = of.body
    ? { 'application/json': { schema: schemaOf(of.body, 'input') } }
    : of.accepts && Object.fromEntries(of.accepts.map(type => [type, {}]))
  return {
    operationId,
    summary: of.summary,
    ...(of.role && { description: `Role: ${of.role}`, security: [{ key: [] }, { cookie: [] }] }),
    parameters: [...inPath, ...queryOf(of), ...(of.takesKey ? [KEY] : [])],
    ...(body && { requestBody: { required: true, content: body } }),
    responses: {
      [of.status]: { description: of.summary, ...(of.status === 204 ? {} : { content }) },
      default: { description: 'The request was refused', content: problem },
    },
  }
}

const KEY = {
  name: 'idempotency-key',
  in: 'header',
  required: false,
  description: 'A repeated request of the caller with this key has the effect of one',
  schema: { type: 'string', minLength: 1, maxLength: 200 },
}

function queryOf({ query }: Endpoint) {
  if (!query) return []
  const { properties = {}, required = [] } = schemaOf(query, 'input')
  return Object.entries(properties).map(([name, schema]) => {
    return { name, in: 'query', required: required.includes(name), schema }
  })
}

const schemaOf = (schema: z.ZodType, io: 'input' | 'output') => {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' })
  return rest
}
