/** What a graph spec declares beside its nodes: channels, tools, models, custom parts and notifiers. */
import { z } from 'zod'
import { doc } from '../../watch/data/doc.ts'
import { price } from '../../watch/policy/price-key.ts'
import { module, name, value } from './name.ts'
import { breaker, confirming, duration, retry } from './policy-schema.ts'

export const channel = doc(
  z.looseObject({
    reducer: doc(z.enum(['last', 'append', 'merge', 'max']).default('last'))`The effect of a write:
      last replaces, append adds one item (the schema describes the item), merge merges objects, max
      keeps the greater number.`,
    volatile: doc(z.boolean().default(false))`true: excluded when two states are compared, as for a
      counter or a time that makes every lap look new.`,
    default: doc(value.optional())`The initial value; default: null, an empty list where it appends,
      an empty map where it merges.`,
  }),
  'channel',
)`A channel of the context: the JSON Schema of its value (\`type\`, \`enum\`, \`properties\`, …), and
  the effect of a write.`

const TOOL = /^([a-z_]+|\.\/.+\.(m?ts|m?js)#\w+)$/

const concurrency = doc(z.int().min(1).optional())`The most calls at once: more are refused, and
  tried again a little later; default: unlimited.`

export const tool = doc(
  z.strictObject({
    use: doc(
      z.string().regex(TOOL, 'expected the name of a built-in tool, or ./file.ts#export'),
    )`A built-in tool (list_dir, read_file, grep, attempt_completion, report_stuck, flaky), or a custom
      one: ./file.ts#export, or \`code\` if it is passed to \`defineGraph\` or \`bindGraph\`.`,
    description: doc(z.string().optional())`The description for the model; default: that of its
      code.`,
    with: doc(z.record(z.string(), value).optional())`The settings of the tool.`,
    output: doc(z.record(z.string(), value).optional())`The JSON Schema of its result. A result that
      does not fit is a failed call. Default: the contract of its code, if any.`,
    effects: doc(z.enum(['read', 'write']).optional())`write: it changes an external system. A write
      is never repeated blindly. Default: that of its code.`,
    idempotent: doc(z.boolean().optional())`true: a repetition with the same key changes nothing
      more, which permits repeating a write. Default: that of its code; reads are.`,
    cache: doc(duration.optional())`How long a result answers the same request again, in all
      threads that run the bound graph; only for reads. Default: not at all.`,
    reversible: doc(z.boolean().optional())`true: a later call of the same tool undoes it; it counts
      as harmless in the ledger of effects.`,
    confirm: doc(confirming.optional())`Whether a person must allow a call; it overrides the graph's
      \`confirm\`.`,
    timeout: doc(duration.optional())`The longest time for one attempt; default: that of its code,
      or 30s.`,
    retry: doc(retry.optional())`Retry settings that override \`retry\` of the graph; 0: no
      retries.`,
    breaker: doc(breaker.optional())`Its circuit breaker; it overrides \`breaker\` of the graph.`,
    concurrency,
    substitutes: doc(z.array(name).optional())`Tools that replace it while its breaker is open, the
      first available one; they must take the same arguments.`,
  }),
  'tool',
)`A tool, built-in or custom.`

export const model = doc(
  z.strictObject({
    id: doc(z.string().min(1))`The name of the model at the endpoint.`,
    baseURL: doc(z.url().optional())`The endpoint; default: OPENAI_BASE_URL.`,
    keyFrom: doc(z.string().default('OPENAI_API_KEY'))`The environment variable that holds the
      key.`,
    price: doc(price.optional())`US dollars per million tokens; if absent, money is not counted.`,
    temperature: doc(z.number().min(0).max(2).optional())`The sampling temperature; default: that of
      the endpoint.`,
    maxTokens: doc(z.int().min(1).optional())`The most tokens of one answer.`,
    context: doc(z.int().min(1).optional())`The most tokens of one call, input and output together.
      Lint needs it to report how far a limit can be exceeded.`,
    timeout: doc(
      duration.optional(),
    )`The longest time for one attempt; default: that of its code, or
      2m.`,
    smarter: doc(name.optional())`The model that takes one call in its place when it repeats itself:
      the rung \`rethink\`.`,
    retry: doc(retry.optional())`Retry settings that override \`retry\` of the graph; 0: no
      retries.`,
    breaker: doc(breaker.optional())`Its circuit breaker; it overrides \`breaker\` of the graph.`,
    concurrency,
    substitutes: doc(z.array(name).optional())`Models that replace it while its breaker is open, the
      first available one.`,
    offline: doc(z.string().optional())`A script (YAML, beside the spec) that answers when no
      endpoint is configured.`,
  }),
  'model',
)`A model behind an OpenAI-compatible endpoint.`

export const customParts = doc(
  z.strictObject({
    detectors: doc(z.array(module).optional())`Results of \`defineDetector\`; \`detect\` tunes
      each by its name.`,
    rungs: doc(z.array(module).optional())`Results of \`defineRung\`; \`escape.ladder\` places
      them by name.`,
    classifier: doc(module.optional())`The result of \`defineClassifier\`; it runs before the
      rules of \`failures\`.`,
  }),
  'parts',
)`Custom parts: exports of modules beside the spec. A thread journals their names and versions when it
  starts.`

const SECRET = z.string().regex(/^[A-Za-z_]\w*$/, 'expected the name of an environment variable')

const attempts = z.int().min(1).max(10).default(4)

const DELIVERY = {
  to: doc(z.array(z.string().min(1).max(80)).min(1).optional())`The names of \`escape.review\`
    it serves; default: all.`,
  timeout: doc(duration.prefault('5s'))`The longest time for one attempt.`,
}

const webhook = doc(
  z
    .strictObject({
      webhook: doc(z.string().max(2_000))`The URL that receives notices by POST; https only.`,
      secretFrom: doc(SECRET)`The environment variable that holds the signing secret.`,
      allow: doc(z.array(z.string().min(1)).min(1))`The hosts that notices may be sent to.`,
      ...DELIVERY,
      attempts: doc(attempts)`All attempts, the first included. Retries use
        backoff, and follow only 408, 429, 5xx and network errors.`,
      insecure: doc(z.literal(true).optional())`For trials: allows http to this machine.`,
    })
    .superRefine(({ webhook, allow, insecure }, context) => {
      const fault = (message: string) =>
        context.addIssue({ code: 'custom', path: ['webhook'], message })
      if (!URL.canParse(webhook)) return fault('expected a URL')
      const { protocol, hostname, username, password } = new URL(webhook)
      if (protocol !== 'https:' && !(protocol === 'http:' && insecure))
        fault('expected https (http only with `insecure: true`, to this machine)')
      if (username !== '' || password !== '')
        fault('contains a user name or a password; name the secret with `secretFrom`')
      if (!allow.includes(hostname)) fault(`the host '${hostname}' is not in \`allow\``)
    }),
  'webhook',
)`A POST of JSON for each question and each step of its escalation, signed as Standard Webhooks
  specifies.`

const mail = doc(
  z
    .strictObject({
      mail: doc(z.array(z.email()).min(1).max(20))`The addresses that receive each notice.`,
      from: doc(z.email())`The address of the sender.`,
      server: doc(z.string().max(2_000))`The server: \`smtps://HOST\` (port 465), or \`smtp://HOST\`
        (port 587, with STARTTLS).`,
      user: doc(z.string().min(1).max(320).optional())`The user of the server.`,
      secretFrom: doc(SECRET.optional())`The environment variable that holds the password.`,
      ...DELIVERY,
      attempts: doc(attempts)`All attempts, the first included. Retries use
        backoff, and follow only replies 4xx and network errors.`,
      insecure: doc(
        z.literal(true).optional(),
      )`For trials: sends without encryption to this machine.`,
    })
    .superRefine(({ server, user, secretFrom, insecure }, context) => {
      const fault = (key: string, message: string) =>
        context.addIssue({ code: 'custom', path: [key], message })
      if ((user === undefined) !== (secretFrom === undefined))
        fault('user', 'expected both `user` and `secretFrom`, or neither')
      if (!URL.canParse(server)) return fault('server', 'expected a URL')
      const { protocol, hostname, username, password } = new URL(server)
      if (protocol !== 'smtps:' && protocol !== 'smtp:')
        fault('server', 'expected `smtps://HOST` or `smtp://HOST`')
      if (username !== '' || password !== '')
        fault('server', 'contains a user name or a password; use `user` and `secretFrom`')
      if (insecure && !['127.0.0.1', '[::1]', 'localhost'].includes(hostname))
        fault('insecure', 'expected a server on this machine')
    }),
  'mail',
)`A mail for each question and each step of its escalation. Needs the package \`nodemailer\`.`

export const notifier = doc(
  z.union([doc(z.literal('log'))`One line on stderr.`, webhook, mail]),
  'notifier',
)`Notifies people of a question: \`log\` (one line on stderr), a webhook, or mail.`

export type ChannelSpec = z.infer<typeof channel>
export type ToolSpec = z.infer<typeof tool>
export type ModelSpec = z.infer<typeof model>
export type NotifierSpec = z.infer<typeof notifier>
export type WebhookSpec = z.infer<typeof webhook>
export type MailSpec = z.infer<typeof mail>
/** As they are written. */
export type ChannelInput = z.input<typeof channel>
export type ToolInput = z.input<typeof tool>
export type ModelInput = z.input<typeof model>
