/** The documentation of schemas, written beside them. */
import type { z } from 'zod'

/** Adds a description: doc(z.string())`The text.` Line breaks count as blanks. An `id` makes the schema a definition of its own. */
export function doc<S extends z.ZodType>(schema: S, id?: string) {
  return (words: TemplateStringsArray, ...values: readonly unknown[]): S => {
    const description = String.raw({ raw: words }, ...values).replace(/\s+/g, ' ')
    return schema.meta({ ...(id && { id }), ...(description && { description }) })
  }
}
