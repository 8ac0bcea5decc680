/** Questions to people, and their answers, as the service returns them. */
import { z } from 'zod'
import { CHOSEN_RUNGS, DECISIONS } from '../../../core/watch/event/event.ts'
import { object } from './endpoint.ts'

export const Question = z.looseObject({
  id: z.string(),
  thread: z.string().optional(),
  question: z.string(),
  to: z.string().optional(),
  deadline: z.number().optional(),
  because: z.string().optional(),
  judged: object.optional(),
  asked: z.int().describe('The number of the event that asked it'),
  at: z.number().describe('When it was asked, in ms'),
  edit: z
    .object({
      schema: object.optional().describe('The JSON Schema of the output'),
      value: z.json().optional().describe('The value to start from'),
    })
    .optional()
    .describe('What the decision `edited`, or `applied`, takes as its output'),
  options: z.array(z.looseObject({})),
})

export const AnsweredQuestion = z.object({
  id: z.string(),
  thread: z.string(),
  graph: z.string(),
  question: z.string(),
  about: z.enum(['escape', 'call', 'permission', 'restriction', 'node']),
  asked: z.int().describe('The number of the event that asked it'),
  seq: z.int().describe('The number of the answer'),
  at: z.number().describe('When it was answered, in ms'),
  decision: z.enum(DECISIONS),
  rung: z.enum(CHOSEN_RUNGS).optional(),
  to: z.string().optional(),
  output: z.json().optional(),
  note: z.string().optional(),
  by: z
    .string()
    .optional()
    .describe('The caller that answered. Absent in answers that came with an import'),
  status: z.enum(['active', 'waiting', 'ended']).describe('Of the thread now, as are:'),
  detail: z.string(),
  outcome: z.string().optional(),
})
