import { z } from 'zod'
import { isName, NAME_EXPECTED } from '../../watch/policy/policy-kinds.ts'

/** What a node, channel, tool or model may be called. What every object of JavaScript has a field for is refused. */
export const name = z
  .string()
  .regex(/^[A-Za-z][\w-]*$/, `expected ${NAME_EXPECTED}`)
  .refine(isName, 'this name is reserved by JavaScript')
  .meta({ id: 'name', description: 'A name of letters, digits, _ and -, beginning with a letter.' })

/** The states every compiled graph has of its own. */
export const RESERVED: readonly string[] = ['working', 'review', 'stopped', 'cancelled']

export const nodeName = name
  .refine(
    text => !RESERVED.includes(text),
    `expected another name: ${RESERVED.join(', ')} are states of every graph`,
  )
  .meta({
    id: 'nodeName',
    description: `The name of a node; not ${RESERVED.join(', ')}, which are states of every graph.`,
  })

export const value = z.json().meta({ id: 'value', description: 'Any JSON value.' })

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
