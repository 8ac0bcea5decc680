import { z } from 'zod'
import { isName, NAME_EXPECTED } from '../../watch/names.ts'

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
