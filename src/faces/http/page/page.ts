/** The inspector: the built files of `visualizer/`, with a policy that lets the page reach only its own service. */
import { readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { MiddlewareHandler } from 'hono'
import { secureHeaders } from 'hono/secure-headers'

/** Seen from this file, both in the repository and in the package. */
const FOLDER = fileURLToPath(new URL('../../../../visualizer/dist', import.meta.url))

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
}

const NOT_BUILT = `<!doctype html><html lang="en"><meta charset="utf-8"><title>escapement</title>
<p>The inspector is not built. In the source of the project, run <code>npm run build:page</code>.</p></html>`

interface Page {
  has(path: string): boolean
  /** The response for a path of the page; `undefined` for all others. */
  fileAt(path: string): Response | undefined
  readonly headers: MiddlewareHandler
}

/** Serves the files that the folder holds now. */
export function inspector(folder = FOLDER): Page {
  const files = filesIn(folder)
  return {
    has: path => path === '/' || files.has(path),
    fileAt(path) {
      const file = files.get(path === '/' ? '/index.html' : path)
      if (file) return file()
      if (path !== '/') return undefined
      const headers = { 'content-type': TYPES['.html'] ?? '', 'cache-control': 'no-store' }
      return new Response(NOT_BUILT, { status: 503, headers })
    },
    headers: secureHeaders({
      contentSecurityPolicy: {
        defaultSrc: ["'none'"],
        scriptSrc: ["'self'"],
        workerSrc: ["'self'"],
        styleSrc: ["'self'"],
        imgSrc: ["'self'", 'data:'],
        connectSrc: ["'self'"],
        baseUri: ["'none'"],
        formAction: ["'none'"],
        frameAncestors: ["'none'"],
      },
    }),
  }
}

/** The responses by path. The names of all files but the page itself contain their hashes. */
function filesIn(folder: string): ReadonlyMap<string, () => Response> {
  return new Map(
    namesIn(folder).map(name => {
      const path = `/${name.replaceAll('\\', '/')}`
      const type = TYPES[extname(name)] ?? 'application/octet-stream'
      const isHashed = path.startsWith('/assets/')
      const headers = {
        'content-type': type,
        'cache-control': isHashed ? 'public, max-age=31536000, immutable' : 'no-store',
      }
      let body: Buffer<ArrayBuffer> | undefined
      return [
        path,
        () => {
          body ??= readFileSync(join(folder, name))
          return new Response(body, { headers })
        },
      ]
    }),
  )
}

function namesIn(folder: string): readonly string[] {
  try {
    const all = readdirSync(folder, { recursive: true, withFileTypes: true })
    const files = all.filter(entry => entry.isFile())
    return files.map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1))
  } catch {
    return []
  }
}
