/** Preloaded by the examples: `escapement` is the source of this repository. */
import { registerHooks } from 'node:module'

const SOURCE = new URL('../../src/index.ts', import.meta.url).href

registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'escapement' ? { url: SOURCE, shortCircuit: true } : next(specifier, context),
})
