import { z } from 'zod'

/** The `use` of an implementation that is passed to `defineGraph` or `bindGraph`. */
export const CODE = 'code'

/** Whether a node or tool has an implementation of its own: in a module, or passed in code. */
export function isCustomUse(use: string): boolean {
  return use.startsWith('./') || use === CODE
}

/** What a module exports; it is looked for inside the folder of the spec, and nowhere else. */
export const module = z
  .string()
  .regex(/^(\.\/.+\.(ts|js|mjs)#\w+|code)$/, 'expected ./file.ts#export')
  .meta({
    id: 'module',
    description:
      'What a module exports, as ./file.ts#export, inside the folder of the spec; `code` if it is passed to `defineGraph` or `bindGraph`.',
  })
