import { z } from 'zod'

/** The source of a regular expression. */
export const pattern = z
  .string()
  .refine(isPattern, 'expected a regular expression')
  .meta({ id: 'pattern', description: 'A regular expression; case is ignored.' })

function isPattern(source: string): boolean {
  try {
    new RegExp(source, 'i')
    return true
  } catch {
    return false
  }
}
