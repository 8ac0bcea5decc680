/** Names for threads that their caller does not name. */
import { randomUUID } from 'node:crypto'

export const newName = (): string => randomUUID().slice(0, 8)
