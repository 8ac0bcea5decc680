import type { Node } from '../../runtime/ports.ts'
import { openingMessage } from '../messages.ts'

/** `use: message` makes a user message of its input. */
export const messageNode: Node = async ({ input }) => {
  const others = Object.keys(input).filter(name => name !== 'goal')
  const message = openingMessage(input, others)
  if (message) return { message }
  throw new Error(`the input is empty; expected a text in one of: ${Object.keys(input).join(', ')}`)
}
