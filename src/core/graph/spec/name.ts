/** Names and references in a spec. */
import { z } from 'zod'
import { doc } from '../../watch/data/doc.ts'
import { name } from '../../watch/policy/value-keys.ts'

export { name }

/** The states that every compiled graph adds. */
export const RESERVED: readonly string[] = ['working', 'review', 'stopped', 'cancelled']

export const nodeName = doc(
  name.refine(
    text => !RESERVED.includes(text),
    `expected another name: ${RESERVED.join(', ')} are states of every graph`,
  ),
  'nodeName',
)`The name of a node; not ${RESERVED.join(', ')}, which are states of every graph.`

export const value = doc(z.json(), 'value')`Any JSON value.`

/** The `use` of an implementation that is passed to `defineGraph` or `bindGraph`. */
export const CODE = 'code'

export const MODULE = /^(\.\/.+\.(m?ts|m?js)#\w+|code)$/

/** Whether a node or tool has a custom implementation: in a module, or passed in code. */
export const isCustomUse = (use: string): boolean => use.startsWith('./') || use === CODE

export const module = doc(z.string().regex(MODULE, 'expected ./file.ts#export'), 'module')`An export
  of a module, as ./file.ts#export, inside the folder of the spec; \`code\` if it is passed to
  \`defineGraph\` or \`bindGraph\`.`
