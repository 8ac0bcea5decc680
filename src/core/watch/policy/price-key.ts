/** The price of a model in the notation. */
import { z } from 'zod'
import { doc } from '../data/doc.ts'

export const price = z.strictObject({
  input: doc(z.number().nonnegative())`Tokens of the prompt.`,
  output: doc(z.number().nonnegative())`Tokens of the answer.`,
  cached: doc(z.number().nonnegative().optional())`Tokens of the prompt that came from the cache;
    default: the price of \`input\`.`,
})
