/** Preloaded by the examples: `escapement` is the source of this repository. */
import { registerHooks } from 'node:module'

const SOURCES: Readonly<Record<string, string>> = {
  escapement: '../../src/index.ts',
  'escapement/http': '../../src/http.ts',
}

registerHooks({
  resolve(specifier, context, next) {
    const source = SOURCES[specifier]
    if (source === undefined) return next(specifier, context)
    return { url: new URL(source, import.meta.url).href, shortCircuit: true }
  },
})
