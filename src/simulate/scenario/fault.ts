/** A fault: on which target, when, how often, what it does, and its limit. */
import { z } from 'zod'
import { doc } from '../../core/watch/data/doc.ts'
import { duration } from '../../core/graph/spec/policy-schema.ts'
import { EFFECTS_OF, type EffectKind, effect, kindOfEffect } from './effect.ts'
import { probability, process } from './process.ts'

export const TARGETS = ['tool', 'model', 'human', 'commit'] as const
export type TargetKind = (typeof TARGETS)[number]

/** `tool:search`, `tool:db.*`, `model:*`, `human`, `commit`. A tool can be chosen by its effects: `{ tool: '*', effects: write }`. */
export type Target = Readonly<{ kind: TargetKind; pattern: string; effects?: 'read' | 'write' }>

const TARGET = /^(tool|model):(.+)$|^(human|commit)$/

const targetText = z
  .string()
  .regex(TARGET, 'expected tool:NAME, model:NAME, human or commit; * stands for any text')
  .transform((text): Target => {
    const [, kind = text, pattern = ''] = TARGET.exec(text) ?? []
    return { kind: (text.includes(':') ? kind : text) as TargetKind, pattern }
  })

const target = z.union([
  targetText,
  z
    .strictObject({ tool: z.string().min(1), effects: z.enum(['read', 'write']) })
    .transform(({ tool, effects }): Target => ({ kind: 'tool', pattern: tool, effects })),
])

const range = z
  .tuple([z.int().min(1), z.int().min(1)])
  .refine(([from, to]) => from <= to, 'expected [from, to] in ascending order')
const times = z
  .tuple([duration, duration])
  .refine(([from, to]) => from < to, 'expected [from, to] in ascending order')

/** All given conditions must hold. */
const when = z.strictObject({
  calls: doc(range.optional())`Only these calls of the target, counted from 1.`,
  time: doc(times.optional())`Only in this span of virtual time.`,
  attempt: doc(z.int().min(1).optional())`Only this attempt of a call.`,
  node: doc(z.string().optional())`Only calls of this node.`,
  visit: doc(range.optional())`Only these entries of the node: laps of a cycle.`,
  afterFault: doc(z.string().optional())`Only after this fault occurred.`,
})

export const fault = z
  .strictObject({
    id: z.string().regex(/^[A-Za-z][\w-]*$/, 'expected letters, digits, _ and -'),
    on: doc(target)`The target: tool:NAME, model:NAME, human, commit.`,
    when: when.default({}),
    how: doc(process.default('always'))`The process. Default: always.`,
    what: doc(effect)`The effect.`,
    arm: doc(probability.default(1))`The part of the seeds in which the fault exists.`,
    limit: doc(z.int().min(0).optional())`How often it occurs in a run at most.`,
    group: doc(z.string().optional())`Faults of one group share their spans of time.`,
  })
  .superRefine(({ on, what }, context) => {
    const kind = kindOfEffect(what) as EffectKind | undefined
    const possible = EFFECTS_OF[on.kind]
    // An effect without a known key has a fault already.
    if (kind !== undefined && !possible.includes(kind))
      context.addIssue({
        code: 'custom',
        path: ['what'],
        message: `'${kind}' is not possible on ${on.kind}; expected one of: ${possible.join(', ')}`,
      })
  })

export type Fault = z.output<typeof fault>
export type When = Fault['when']
