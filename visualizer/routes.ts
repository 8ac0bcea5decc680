/** A plugin of Vite that leaves the schemas out of the wire contract: the page sends requests, and the service checks them. */
import { join } from 'node:path'
import { type Plugin, runnerImport } from 'vite'
import type { Endpoint } from '../src/faces/http/contract/endpoint.ts'

const SOURCE = join(import.meta.dirname, '../src/faces/http/contract/contract.ts')

type Contract = typeof import('../src/faces/http/contract/contract.ts')

export const routes = (): Plugin => ({
  name: 'routes',
  async load(id) {
    if (id !== SOURCE) return undefined
    const { module } = await runnerImport<Contract>(SOURCE, { configFile: false })
    const entries = Object.entries<Endpoint>(module.CONTRACT)
    const routes = entries.map(([name, { method, path, status, accepts, returns }]) => [
      name,
      { method, path, status, accepts, returns },
    ])
    return `export const CONTRACT = ${JSON.stringify(Object.fromEntries(routes))}`
  },
})
