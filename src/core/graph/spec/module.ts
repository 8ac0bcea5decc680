import { z } from 'zod'

/** What a module exports; it is looked for inside the folder of the spec, and nowhere else. */
export const module = z
  .string()
  .regex(/^\.\/.+\.(ts|js|mjs)#\w+$/, 'expected ./file.ts#export')
  .meta({
    id: 'module',
    description: 'What a module exports, as ./file.ts#export, inside the folder of the spec.',
  })
