/** The policy parts of a graph spec: limits, detectors, retry, breaker and escape. What is absent keeps its default. */
import { z } from 'zod'
import { CLASSES } from '../../watch/failure/failure.ts'
import { unreachableTimes, RUNGS } from '../../watch/policy.ts'
import { CONFIRM } from '../../watch/confirm.ts'
import { whenCompiler } from '../when.ts'
import { duration } from './duration.ts'
import { name } from './name.ts'
import { pattern } from './pattern.ts'
import { value } from './value.ts'

const count = z.int().min(1)
const failureClass = z.enum(CLASSES)

const times = z.int().min(2)

function reachable(
  options: { readonly times: number; readonly within: number },
  context: z.RefinementCtx,
): void {
  const never = unreachableTimes(options)
  if (never !== undefined) context.addIssue({ code: 'custom', path: ['times'], message: never })
}

/** What one detector is: off, or with these options. */
const detecting = z.strictObject({
  sequence: z
    .union([
      z.literal(false),
      z.strictObject({
        repeats: times
          .default(3)
          .describe('The lap with which it is plain, as soon as it has begun.'),
        periodMax: z
          .int()
          .min(1)
          .max(24)
          .default(24)
          .describe('The longest cycle that is seen, in calls.'),
      }),
    ])
    .describe('loop: the same cycle of calls with the same answers, of any period.'),
  repetition: z
    .union([
      z.literal(false),
      z
        .strictObject({
          times: times.default(3).describe('How often the call must have been made.'),
          within: times.max(64).default(16).describe('Among so many latest calls.'),
        })
        .superRefine(reachable),
    ])
    .describe(
      'loop: the same call, or nearly the same, with the same answer, whatever lies between; what was learnt in between weighs against it.',
    ),
  recurrence: z
    .union([
      z.literal(false),
      z
        .strictObject({
          times: times.default(3).describe('How often the state must have been entered.'),
          within: times.max(64).default(32).describe('Among so many latest entries of states.'),
        })
        .superRefine(reachable),
    ])
    .describe('loop: the same state with the same content, nothing learnt in between.'),
  visits: z
    .union([
      z.literal(false),
      times.max(32).transform(max => ({ max, window: 60_000 })),
      z.strictObject({
        max: times
          .max(32)
          .describe(
            'So many entries of one state are too many; a number in place of the map is this one.',
          ),
        window: duration.prefault('1m').describe('Within this time.'),
      }),
    ])
    .describe('loop: one state entered too often within a time, whatever happened there.'),
  stale: z
    .union([z.literal(false), z.strictObject({ times: count.describe('So many rounds.') })])
    .describe(
      'stall: rounds in which nothing was asked and answered that had not been before; something new in between pays for four of them.',
    ),
  errors: z
    .union([z.literal(false), z.strictObject({ times: count.describe('So many times.') })])
    .describe(
      'stall: the same error of one tool, whatever the arguments, ids and places in it; what succeeds in between makes the earlier ones count for less.',
    ),
  noToolCall: z
    .union([z.literal(false), z.strictObject({ times: count.describe('So many answers on end.') })])
    .describe('noToolCall: answers without a command where one is required.'),
  repeatedText: z
    .union([
      z.literal(false),
      z.strictObject({
        times: times.default(3).describe('How often the agent must have said it.'),
        nudges: times.default(4).describe('How often the person, or what stands for one.'),
      }),
    ])
    .describe(
      'loop: the same text, or the same exchange of up to three, with nothing done in between.',
    ),
  mistakes: z
    .union([z.literal(false), z.strictObject({ limit: count.describe('So many rounds on end.') })])
    .describe(
      'stall: rounds on end in which all calls failed, of whatever tool and for whatever reason.',
    ),
})

export const tunings = detecting.partial().meta({
  id: 'tunings',
  description:
    'The detectors of `detect` that are otherwise here: each with its options, or `false` where it is off.',
})

/** How the calls of one tool are read, and how its detectors are tuned. */
const perTool = detecting
  .partial()
  .extend({
    poll: z
      .boolean()
      .optional()
      .describe('It asks how something stands: the same answer again is nothing to be found.'),
    page: z
      .boolean()
      .optional()
      .describe(
        'It goes through something piece by piece: other arguments are other pieces, however alike.',
      ),
    identity: z
      .array(z.string())
      .min(1)
      .optional()
      .describe('The arguments that make two of its calls the same; all others do not count.'),
    ignore: z.array(z.string()).optional().describe('Arguments that do not count.'),
    progress: z
      .string()
      .min(1)
      .optional()
      .describe(
        'The path of the value in its answer that shows progress, as `job.done`: nothing else of it counts.',
      ),
  })
  .meta({
    id: 'toolTunings',
    description:
      'How the calls of one tool are read, and the detectors of `detect` that are otherwise for it.',
  })

const tuning = detecting.partial().extend({
  window: duration.optional().describe('The window of `visits`, where that says none.'),
  degenerateOutput: z
    .union([
      z.literal(false),
      z.strictObject({
        repeats: z.int().min(3).default(10).describe('The same words so often on end.'),
        length: z.int().min(20).default(200).describe('And for so many characters.'),
      }),
    ])
    .optional()
    .describe('One answer of a model that repeats itself is broken off.'),
  tools: z
    .record(name, z.union([z.literal(false), perTool]))
    .optional()
    .describe('What is otherwise for calls of one tool; false: never look at them.'),
  nodes: z
    .record(name, z.union([z.literal(false), tunings]))
    .optional()
    .describe('The same for one node; `tools` comes first.'),
  ignore: z
    .array(z.string())
    .optional()
    .describe('Channels that do not count when two states are compared.'),
})

/** Beside these, the names of one's own detectors: an index in the type would hide the types of all others. */
const detect = tuning.catchall(z.union([z.literal(false), z.record(z.string(), value)])).meta({
  id: 'detect',
  description:
    'How the detectors are tuned: each with its options, or `false` where it is off; one’s own by their names.',
}) as unknown as typeof tuning

export const retrying = z
  .strictObject({
    attempts: count.describe('Attempts in all, the first included.'),
    base: duration.describe(
      'How long to wait before the second attempt; doubled after each, with jitter, and never shorter than the other side asks.',
    ),
    cap: duration.describe('The longest wait. Whoever asks for more patience is not tried again.'),
    on: z
      .array(failureClass)
      .describe('The classes of failures after which a call is tried again.'),
    total: count.describe(
      'How often one tool or model is tried again until it succeeds: by an SDK inside it, by us, and by the model repeating itself.',
    ),
  })
  .partial()
  .meta({
    id: 'retry',
    description:
      'How a failed call is tried again. A write that may have taken effect never is, unless it is idempotent.',
  })

export const breakers = z
  .strictObject({
    threshold: count.describe('So many failures on end open it.'),
    reset: duration.describe('How long it stays open before one probe is let out.'),
  })
  .partial()
  .meta({
    id: 'breaker',
    description:
      'The circuit breaker of a tool or a model: while it is open, calls are refused at once.',
  })

const spendable = {
  steps: count.describe(
    'Nodes performed, and waits. What the graphs that are run as nodes spend counts as well, of steps as of everything else.',
  ),
  toolCalls: count.describe('Calls of tools: every attempt counts, undoing does not.'),
  modelCalls: count.describe('Calls of models: every attempt counts.'),
  tokens: count.describe(
    'Tokens of all models, in and out: known only afterwards, so the last call may go over it.',
  ),
  usd: z
    .number()
    .positive()
    .describe('Money, as `price` of the models says: known only afterwards, too.'),
  duration: duration.describe(
    'Time, without what is spent waiting for people, or while no process drives the thread.',
  ),
}

const spending = z
  .strictObject(spendable)
  .partial()
  .meta({ id: 'spending', description: 'The most that may be spent.' })

/** Each thread journals the graphs it stands in. */
const DEPTH_MAX = 64

const scope = spending
  .extend({
    key: z
      .string()
      .min(1)
      .max(200)
      .optional()
      .describe('Threads with the same key share; the id of the graph, if absent.'),
    per: duration.prefault('1d').describe('The window: what lies further back is forgotten.'),
    loops: z
      .int()
      .min(2)
      .max(12)
      .default(3)
      .describe(
        'The thread that meets the same loop as the how-many-th of them asks a person at once.',
      ),
  })
  .meta({
    id: 'scope',
    description:
      'What all threads with the same key share: one budget, and the loops they have met.',
  })

const limits = z.strictObject({
  ...spendable,
  nodeCalls: count.describe(
    'Calls and reports of one node before it counts as failed (TooManyCalls); 1000 if nothing else is said.',
  ),
  concurrency: count.describe('Nodes at work at once; all that can be, if absent.'),
  round: spending.describe('The same for each round: what one message may spend.'),
  depth: z
    .int()
    .min(0)
    .max(DEPTH_MAX)
    .describe('How many graphs may stand one inside another below this one (default 8).'),
  mistakes: count.describe(
    'Rounds in a row in which all calls failed; the limit of the detector `mistakes`.',
  ),
  scopes: z
    .record(name, scope)
    .describe('What all threads with the same key share, by the names of the scopes.'),
})

const rungBudget = z
  .strictObject({
    perLoop: z.int().min(0).describe('How often it is taken for one and the same loop.'),
    total: z.int().min(0).describe('How often in all, until there is progress.'),
  })
  .partial()
  .meta({ id: 'rungBudget', description: 'How often a rung may be taken; 0: never.' })

const whom = z.string().min(1).max(80)

const review = z
  .strictObject({
    deadline: duration.describe('How long a person has for the answer.'),
    otherwise: z
      .enum(['stop', 'continue'])
      .default('stop')
      .describe(
        'What happens when nobody has answered: end, or go on where the question was asked.',
      ),
    to: whom.optional().describe('Whom questions are put to: a name that `notify` knows.'),
    escalate: z
      .array(
        z.strictObject({
          to: whom.describe('Whom.'),
          after: duration.describe('How long after the question was asked; before the deadline.'),
        }),
      )
      .max(8)
      .optional()
      .describe(
        'Whom a question moves on to while nobody answers; `after` counts from when it was asked.',
      ),
  })
  .superRefine(({ deadline, escalate = [] }, context) => {
    for (const [index, { after }] of escalate.entries()) {
      const path = ['escalate', index, 'after']
      if (after >= deadline)
        context.addIssue({
          code: 'custom',
          path,
          message: 'expected a time before the deadline of the review',
        })
      if (after <= (escalate[index - 1]?.after ?? 0))
        context.addIssue({
          code: 'custom',
          path,
          message: 'expected a time after that of the step before it',
        })
    }
  })
  .meta({ id: 'review', description: 'That people can be asked, and for how long.' })

const escape = z.strictObject({
  ladder: z
    .array(
      z.union([z.enum(RUNGS), name], {
        error: `expected a rung: ${RUNGS.join(', ')}, or the name of one of your own`,
      }),
    )
    .refine(rungs => new Set(rungs).size === rungs.length, 'expected each rung once')
    .describe(
      'The ways out, in the order in which they are tried: those that ship, and your own by their names. What is not in it is not taken.',
    ),
  budget: z
    .strictObject({
      rethink: rungBudget.describe('Of the smarter model’s calls.'),
      alternative: rungBudget.describe('Of other edges.'),
      rollback: rungBudget.describe('Of going back.'),
      review: rungBudget.describe('Of questions.'),
    })
    .partial()
    .describe('How often each rung may be taken.'),
  alternatives: z
    .record(name, z.array(name))
    .describe(
      'For a node, the nodes to which a way out may lead; the one tried least recently is taken.',
    ),
  rollback: z
    .strictObject({
      accept: z
        .array(name)
        .default([])
        .describe(
          'Tools (and graphs) whose writes may stay although the run goes back to before them.',
        ),
    })
    .describe('What going back may leave undone.'),
  review: review.describe('That people can be asked; without it the rung `review` is passed over.'),
  restarts: z.int().min(0).describe('How often progress may start the ladder again.'),
})

const mode = z
  .enum(['act', 'observe'])
  .describe(
    'observe: findings are only reported; limits, timeouts, retries and the edges of the spec still act.',
  )

const rounds = z.strictObject({
  busy: z
    .enum(['reject', 'queue', 'interrupt', 'rollback'])
    .describe('What becomes of a message to a thread that is at work, or waits for a person.'),
})

const failureRule = z
  .strictObject({
    id: name.describe('The name it is journalled by.'),
    status: z.array(z.int()).optional().describe('One of these HTTP statuses, compared whole.'),
    code: z
      .array(z.string())
      .optional()
      .describe('One of these codes of a system or a service, compared whole, as ECONNRESET.'),
    name: z.array(z.string()).optional().describe('One of these names of errors, as TimeoutError.'),
    message: pattern
      .optional()
      .describe(
        'What the message must contain; rules without it are asked before all that have one.',
      ),
    class: failureClass.describe('What the failure means for the next attempt.'),
    scope: z
      .enum(['resource', 'request'])
      .optional()
      .describe(
        'What failed: the resource for everybody (it counts for the breaker), or only this request; request, if absent.',
      ),
  })
  .meta({
    id: 'failureRule',
    description:
      'One line of the table of failures: all conditions given must hold; the first rule that fits decides.',
  })

const failures = z.strictObject({
  rules: z.array(failureRule).describe('Asked before the default table.'),
  defaults: z.boolean().default(true).describe('false: only these rules are asked.'),
  recurring: z
    .union([
      z.literal(false),
      z.strictObject({
        times: times.max(32).default(8).describe('So many of them.'),
        within: duration.prefault('10m').describe('Within this time.'),
      }),
    ])
    .describe(
      'So many transient failures of one tool or model, each success taking one back, count as persistent; false: never.',
    ),
})

const conditionOver = whenCompiler(['args'])

const condition = z.string().superRefine((text, context) => {
  const { fault } = conditionOver(text)
  if (fault) context.addIssue(`expected ${CONFIRM.join(', ')}, or a condition over args; ${fault}`)
})

const confirmRule = z
  .strictObject({
    when: condition.optional().describe('A condition in CEL over `args`; always, if absent.'),
    question: z
      .string()
      .min(1)
      .optional()
      .describe('What the person is asked; `{{path}}` stands for an argument.'),
  })
  .meta({ id: 'confirmRule', description: 'When a person must allow a call, and the question.' })

/** Whether a person must allow a call before it is made. */
export const confirming = z
  .union([condition.transform(when => ({ when })), z.enum(CONFIRM), confirmRule])
  .meta({
    id: 'confirming',
    description:
      'Whether a person must allow a call before it is made. `write`: if the tool writes. A condition in CEL over the arguments, as `args.amount > 100`: if it holds. A map adds the question.',
  })

const confirm = z
  .record(
    z.string().regex(/^[A-Za-z*][\w*-]*$/, 'expected the name of a tool, or a pattern with *'),
    confirming,
  )
  .describe(
    'Calls that a person must allow, by the name of a tool or a pattern with *: a name first, then the first pattern that fits.',
  )

/** What of a spec makes its policy: also the notation in which a policy is shown, and changed at run time. */
export const policyParts = z.strictObject({
  mode: mode.optional(),
  limits: limits
    .partial()
    .meta({ id: 'limits', description: 'The most a thread may spend.' })
    .default({}),
  retry: retrying
    .default({})
    .describe('How failed calls are tried again, where a tool or model does not say otherwise.'),
  breaker: breakers
    .default({})
    .describe('The circuit breakers, where a tool or model does not say otherwise.'),
  detect: detect.default({}),
  escape: escape
    .partial()
    .meta({ id: 'escape', description: 'The ways out: the ladder, and what its rungs need.' })
    .default({}),
  rounds: rounds
    .partial()
    .meta({ id: 'rounds', description: 'What a message means to a thread.' })
    .default({}),
  failures: failures
    .partial()
    .meta({ id: 'failures', description: 'Which class a failure has.' })
    .prefault({}),
  confirm: confirm.default({}),
})

export type PolicyParts = z.infer<typeof policyParts>
