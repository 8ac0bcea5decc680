/** What a fault does, from the effects that are easy to notice to those that are hard to notice. */
import { z } from 'zod'
import { doc } from '../../core/watch/data/doc.ts'
import { duration } from '../../core/graph/spec/policy-schema.ts'
import { CLASSES } from '../../core/watch/failure/failure-class.ts'

const failureClass = z.enum(CLASSES)

const errorEffect = z.strictObject({
  class: failureClass.default('transient'),
  status: z.int().min(100).max(599).optional(),
  code: z.string().optional(),
  message: z.string().optional(),
  retryAfter: duration.optional(),
})

const latency = z.union([
  duration,
  z.strictObject({ from: duration, to: duration }),
  z.strictObject({ median: duration, sigma: z.number().min(0).max(5) }),
])

export type Latency = z.output<typeof latency>

/** The effects on tools and models. */
const onCall = {
  error: doc(
    z.union([failureClass.transform(of => ({ class: of })), errorEffect]).optional(),
  )`The attempt fails: a class, or a map with class, status, code, message and retryAfter.`,
  timeout: doc(duration.optional())`The attempt fails with a timeout after this time.`,
  hang: doc(z.literal(true).optional())`The attempt never ends. Its timeout ends it.`,
  latency: doc(
    latency.optional(),
  )`The attempt takes longer: a duration, { from, to }, or { median, sigma }.`,
}

/** The effects on tools: on the reply, on the side effect, on the value. */
const onTool = {
  lostAck: doc(z.literal(true).optional())`The call takes effect, and its reply is lost.`,
  duplicate: doc(z.literal(true).optional())`The call is delivered twice.`,
  late: doc(duration.optional())`The call takes effect at once, and its reply arrives later.`,
  noop: doc(z.literal(true).optional())`The call reports success without an effect.`,
  empty: doc(z.literal(true).optional())`The result is empty.`,
  truncate: doc(z.int().min(0).optional())`The result is cut to this many characters or items.`,
  stale: doc(
    z.union([z.literal(true).transform(() => 0), duration]).optional(),
  )`An earlier answer to the same arguments, at least this old.`,
  wrong: doc(
    z.strictObject({ value: z.json() }).or(z.literal('plausible')).optional(),
  )`Another value, or 'plausible': numbers, booleans and lists change a little.`,
  flipFlop: doc(z.tuple([z.json(), z.json()]).optional())`Two values in turn.`,
}

/** Misbehavior of a model. */
const onModel = {
  repeat: doc(z.literal(true).optional())`The model repeats its last request.`,
  reword: doc(z.literal(true).optional())`The model repeats its last request in other words.`,
  stubborn: doc(z.int().min(1).optional())`The model repeats its last request this many times.`,
  malformedCall: doc(z.literal(true).optional())`The arguments of a request are not JSON.`,
  unknownTool: doc(z.literal(true).optional())`The model requests a tool that does not exist.`,
  earlyStop: doc(z.literal(true).optional())`The model answers with text, without a request.`,
  ignoreHint: doc(z.literal(true).optional())`The model does not see what failed before.`,
}

const onHuman = {
  slow: doc(duration.optional())`The person answers later.`,
  absent: doc(z.literal(true).optional())`The person does not answer.`,
  reject: doc(z.literal(true).optional())`The person rejects.`,
}

const onCommit = {
  crash: doc(
    z.enum(['before', 'after']).optional(),
  )`The process stops before or after the commit, and another one continues.`,
  full: doc(
    z.literal(true).optional(),
  )`The disk is full: the commit fails, the process ends, and another one continues a minute later.`,
  skew: doc(
    z
      .union([duration, z.int(), z.strictObject({ back: duration }).transform(of => -of.back)])
      .optional(),
  )`The clock of the process jumps at this commit: ahead, or behind with { back: 5m }.`,
}

type Targets = 'tool' | 'model' | 'human' | 'commit'

/** The effects that each kind of target can have. */
export const EFFECTS_OF: Readonly<Record<Targets, readonly string[]>> = {
  tool: Object.keys({ ...onCall, ...onTool }),
  model: Object.keys({ ...onCall, ...onModel }),
  human: Object.keys(onHuman),
  commit: Object.keys(onCommit),
}

const keys = { ...onCall, ...onTool, ...onModel, ...onHuman, ...onCommit }

export type Effect = z.output<z.ZodObject<typeof keys>>
export type EffectKind = keyof Effect

/** The effects without settings. */
const FLAGS = Object.keys(keys).filter(
  name => keys[name as EffectKind].safeParse(true).success,
) as EffectKind[]

const words: readonly string[] = [...FLAGS, 'crash']

export const effect = z.preprocess(
  // An effect without settings is one word.
  given =>
    typeof given === 'string' && words.includes(given)
      ? { [given]: given === 'crash' ? 'after' : true }
      : given,
  z
    .strictObject(keys)
    .refine(of => Object.values(of).filter(value => value !== undefined).length === 1, {
      error: `expected exactly one of: ${Object.keys(keys).join(', ')}`,
      // An unknown key is a fault of its own, with the same list.
      when: ({ issues }) => issues.length === 0,
    }),
)

/** The key of an effect. */
export const kindOfEffect = (of: Effect): EffectKind => Object.keys(of)[0] as EffectKind
