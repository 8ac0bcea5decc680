/** The command that serves threads over HTTP. */
import { readdir, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { spanIn } from '../../../core/watch/data/duration.ts'
import { defined } from '../../../core/watch/data/json.ts'
import { isModule, loadGraph } from '../../../host/drive/load.ts'
import { createRuntime } from '../../../host/runtime.ts'
import type { Graph } from '../../../runtime/ports.ts'
import { unreadable } from '../../../runtime/system-error.ts'
import { type App, EXIT, type LOG_LEVELS, parsePort, type ServiceKey } from '../app/app.ts'
import { untilServed, UsageError } from '../app/app.ts'
import { type StoreOptions, withStore } from './thread.ts'

interface ServeOptions extends StoreOptions {
  readonly host: string
  readonly port: string
  readonly graphs: string
  readonly drain: string
  readonly logLevel: (typeof LOG_LEVELS)[number]
  readonly allowWrites?: boolean
}

/** The names of hosts that other computers cannot reach. */
const LOOPBACK = new Set(['127.0.0.1', 'localhost', '::1'])
/** All addresses of this machine. */
const ANY = new Set(['0.0.0.0', '::'])
/** The environment variable with the accepted host names, with a comma between them. */
const HOSTS = 'ESCAPEMENT_HOSTS'
/** The environment variable with the origins of pages that may call, with a comma between them. */
const ORIGINS = 'ESCAPEMENT_ORIGINS'
/** The environment variable with the API keys: `NAME:ROLE:SHA256,…`, with `:PREFIX/` for a key that has only its own threads, and `:SCOPE=KEY` for the keys of scopes that its threads take. */
const KEYS = 'ESCAPEMENT_KEYS'

export async function serve(app: App, options: ServeOptions): Promise<number> {
  const port = parsePort(options.port)
  const drain = spanIn(options.drain)
  if (drain === undefined)
    throw new UsageError(`--drain ${options.drain}: expected a duration, such as 20s`)
  const keys = keysIn(app.environment[KEYS] ?? '')
  // Node.js would listen on all addresses.
  if (options.host === '') throw new UsageError("--host '': expected an address of this machine")
  const isLocal = LOOPBACK.has(options.host)
  if (!isLocal && keys.length === 0)
    throw new UsageError(
      `--host ${options.host} is reachable from outside, and no API key is set`,
      {
        hint: `set ${KEYS}=NAME:ROLE:SHA256`,
      },
    )
  const { [HOSTS]: hosts, [ORIGINS]: origins } = app.environment
  if (ANY.has(options.host) && hosts === undefined)
    throw new UsageError(`--host ${options.host} does not say by which names clients call it`, {
      hint: `set ${HOSTS}=agents.example.com`,
    })
  const graphs = await graphsIn(app, options.graphs)
  return withStore({ ...options, creates: true }, async store => {
    const runtime = createRuntime({ store, graphs, workspace: app.cwd })
    const signal = AbortSignal.any([app.signal, app.leave])
    const served = app.serve(runtime, {
      host: options.host,
      port,
      keys,
      signal,
      allowWrites: options.allowWrites === true,
      ...acceptedHosts(options.host, hosts),
      ...(origins && { origins: originsIn(origins) }),
      drain,
      hurried: app.drainsFor(drain),
      logLevel: options.logLevel,
      writeLog: line => app.err(line),
      listening: (url, token) => {
        if (options.json) app.out(`${JSON.stringify({ url, token })}\n`)
        else app.out(`listening on ${url}\ninspector: ${url}/#token=${token}\n`)
      },
    })
    await untilServed({ host: `--host ${options.host}`, port }, served)
    return EXIT.goal
  })
}

/** The graphs of a folder of specs, of one spec, or of a module, which `option` names. @throws UsageError */
export async function graphsIn(
  app: App,
  path: string,
  option = '--graphs',
): Promise<readonly Graph[]> {
  const files = await graphFiles(resolve(app.cwd, path), option)
  if (files.length === 0) throw new UsageError(`${path}: no graph found`)
  return Promise.all(files.map(file => loadGraph(file, { workspace: app.cwd })))
}

const listIn = (text: string): readonly string[] => text.split(',').map(part => part.trim())

/** A reverse proxy on this machine may pass its own host name. */
function acceptedHosts(host: string, given: string | undefined) {
  const local = LOOPBACK.has(host) ? ['localhost', '127.0.0.1', '[::1]'] : []
  if (given !== undefined) return { hosts: [...local, ...listIn(given)] }
  return local.length > 0 ? {} : { hosts: [host] }
}

/** @throws UsageError */
function originsIn(text: string): readonly string[] {
  const origins = listIn(text)
  for (const origin of origins)
    if (!URL.canParse(origin) || new URL(origin).origin !== origin)
      throw new UsageError(`${ORIGINS}: expected origins such as https://desk.example`)
  return origins
}

/** A name, a role and a hash, then a prefix of threads that ends with a slash, then keys of scopes without one. */
const KEY =
  /^\s*([\w-]+):(view|operate|admin):([0-9a-f]{64})(?::([^\s:=]+\/))?((?::[\w-]+=[^\s:=/]+)*)\s*$/

/** @throws UsageError */
function keysIn(text: string): readonly ServiceKey[] {
  return text.split(',').flatMap(part => {
    if (part.trim() === '') return []
    const [, name, role, hash, threads, pairs = ''] = KEY.exec(part) ?? []
    if (name === undefined || hash === undefined)
      throw new UsageError(
        `${KEYS}: expected NAME:ROLE:SHA256, with a role view, operate or admin, and then :PREFIX/ and :SCOPE=KEY if wanted`,
      )
    const scopes = pairs.split(':').flatMap(pair => (pair ? [pair.split('=')] : []))
    const keys = scopes.length > 0 ? Object.fromEntries(scopes) : undefined
    return [{ name, role: role as ServiceKey['role'], hash, ...defined({ threads, keys }) }]
  })
}

/** The specs of a folder, or one spec or module. */
async function graphFiles(path: string, option: string): Promise<readonly string[]> {
  if (isModule(path)) return [path]
  const found = await stat(path).catch(() => undefined)
  if (!found)
    throw new UsageError(`${path}: not found`, { hint: `name a folder or a file with ${option}` })
  if (!found.isDirectory()) return [path]
  const names = await readdir(path).catch(cause => {
    throw new UsageError(`${option}: ${path} ${unreadable(cause)}`, { cause })
  })
  const specs = names.filter(name => /(?<!\.(script|scenario))\.ya?ml$/.test(name))
  return specs.toSorted().map(name => join(path, name))
}
