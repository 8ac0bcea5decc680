/** How people are told of open questions. */
import { z } from 'zod'
import { duration } from './policy-schema.ts'

const whom = z.string().min(1).max(80)

const webhook = z
  .strictObject({
    webhook: z.string().max(2_000).describe('Where the notice is sent by POST; https only.'),
    secretFrom: z
      .string()
      .regex(/^[A-Za-z_]\w*$/, 'expected the name of an environment variable')
      .describe('The environment variable that holds the secret by which notices are signed.'),
    allow: z.array(z.string().min(1)).min(1).describe('The hosts notices may be sent to.'),
    to: z
      .array(whom)
      .min(1)
      .optional()
      .describe('The names of `escape.review` it serves; if absent, all.'),
    timeout: duration.prefault('5s').describe('The most one attempt may take.'),
    attempts: z
      .int()
      .min(1)
      .max(10)
      .default(4)
      .describe(
        'Attempts in all; those after the first come with backoff, and only after 408, 429, 5xx and network errors.',
      ),
    insecure: z
      .literal(true)
      .optional()
      .describe('For trials: the receiver is this machine, and http will do.'),
  })
  .superRefine(({ webhook, allow, insecure }, context) => {
    const fault = (message: string) =>
      context.addIssue({ code: 'custom', path: ['webhook'], message })
    if (!URL.canParse(webhook)) return fault('expected a URL')
    const { protocol, hostname, username, password } = new URL(webhook)
    if (protocol !== 'https:' && !(protocol === 'http:' && insecure))
      fault('expected https (http only with `insecure: true`, to this machine)')
    if (username !== '' || password !== '')
      fault('has a name or a password in it: a secret is named by `secretFrom`')
    if (!allow.includes(hostname)) fault(`the host '${hostname}' is not in \`allow\``)
  })
  .meta({
    id: 'webhook',
    description:
      'A POST of JSON for each question and each step of its chain, signed as Standard Webhooks asks.',
  })

export const notifier = z
  .union([z.literal('log').describe('One line where messages go.'), webhook])
  .meta({
    id: 'notifier',
    description: 'Who tells people of a question: `log` (one line on stderr), or a webhook.',
  })

export type NotifierSpec = z.infer<typeof notifier>
export type WebhookSpec = z.infer<typeof webhook>
