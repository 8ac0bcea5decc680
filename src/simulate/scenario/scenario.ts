/** A scenario: a graph, the faults that it meets, the policies to compare, and what must hold. */
import { z } from 'zod'
import { duration } from '../../core/graph/spec/policy-schema.ts'
import {
  codedError,
  type Fault as SpecFault,
  faultLine,
  guardOf,
  type OrFaults,
} from '../../core/watch/data/fault.ts'
import { doc } from '../../core/watch/data/doc.ts'
import { isMap } from '../../core/watch/data/json.ts'
import { faultsOf, specMessageFor } from '../../core/watch/data/schema-faults.ts'
import { DECISIONS } from '../../core/watch/event/event.ts'
import { ablations } from './ablation.ts'
import { scenarioFaults } from './check.ts'
import { DIFFERENCES, HEALTHY } from './condition.ts'
import { fault } from './fault.ts'

export const SCENARIO_VERSION = 1

const SCENARIO = '(the scenario)'
const name = z
  .string()
  .regex(/^[A-Za-z]\w*$/, 'expected letters, digits and _')
  .refine(text => text !== HEALTHY && text !== DIFFERENCES, 'is a name of the report')
const condition = z.string().min(1)

const people = z.strictObject({
  decision: z.enum(DECISIONS).default('approved'),
  after: duration.default(0),
})

const bound = z.strictObject({
  is: condition,
  steps: z.int().min(1).optional(),
  time: duration.optional(),
  after: z.enum(['start', 'heal']).default('start'),
})

const oracle = z.strictObject({
  always: doc(z.array(condition).default([]))`True after every event.`,
  never: doc(z.array(condition).default([]))`False after every event.`,
  eventually: doc(z.array(bound).default([]))`True after some event, within steps or time.`,
  sometimes: doc(
    z.array(condition).default([]),
  )`True in at least one run. Otherwise the report is vacuous.`,
  correct: doc(
    condition.optional(),
  )`True for a correct result. A goal without it is silently wrong.`,
  degraded: doc(condition.optional())`True for a result that is declared as partial.`,
})

/** The runs of all seeds are kept in memory until the report. */
export const SEEDS_MAX = 1_000_000

const seeds = z.union([
  z
    .int()
    .min(1)
    .max(SEEDS_MAX)
    .transform(count => ({ from: 1, count })),
  z
    .tuple([z.int().min(0), z.int().min(0)])
    .transform(([from, to]) => ({ from, count: to - from + 1 }))
    .refine(
      ({ count }) => count >= 1 && count <= SEEDS_MAX,
      `expected [first, last] of 1 to ${SEEDS_MAX} seeds`,
    ),
])

const shape = z.strictObject({
  scenario: doc(z.literal(SCENARIO_VERSION))`The version of the notation.`,
  name: z.string().min(1),
  description: z.string().optional(),
  graph: doc(
    z.string().min(1).optional(),
  )`The spec of the graph, or the module that exports it as ./FILE#NAME, relative to \`folder\`. Only
    \`sim proxy\` needs none.`,
  folder: doc(
    z.string().min(1).default('.'),
  )`The folder of \`graph\`, \`system\` and \`models\`, relative to this file.`,
  input: doc(z.json().default({}))`The input of the thread.`,
  system: doc(z.string().optional())`A fake external system, as ./FILE#NAME.`,
  models: doc(
    z.record(z.string(), z.string()).default({}),
  )`Scripts of models, by name. Default: the offline scripts of the graph.`,
  people: doc(people.optional())`How people answer. Default: they do not.`,
  seeds: doc(seeds.prefault(100))`The number of seeds, or [first, last].`,
  vary: doc(
    z.record(z.string(), z.array(z.json()).min(1)).optional(),
  )`Values by paths of the scenario, as \`faults.ID.how.p: [0.1, 0.3]\`: \`sim monte\` runs every
    combination.`,
  until: doc(
    z
      .strictObject({
        width: z.number().gt(0).max(1),
        most: z.int().min(1).default(5_000),
      })
      .optional(),
  )`Runs further seeds until the interval of \`goal\` of the policy under test is as narrow as \`width\`.
    It looks after 100, 200, 400 seeds and so on, at most after \`most\`.`,
  heal: doc(duration.optional())`After this time, no fault occurs.`,
  policies: doc(
    z
      .record(name, z.union([z.null().transform(() => ({})), z.record(z.string(), z.json())]))
      .refine(of => Object.keys(of).length > 0, 'expected at least one policy')
      .prefault({ default: {} }),
  )`Policy overrides, by name. The first one is under test, and the others are compared with it.`,
  ablate: doc(
    z.boolean().default(false),
  )`Also compare with policies that lack one escape or one detector.`,
  faults: z.array(fault).default([]),
  oracle: oracle.prefault({}),
  gates: doc(
    z.array(condition).default([]),
  )`Conditions on the figures. One that fails is exit code 1.`,
})

/** A scenario, with its defaults. */
export type Scenario = z.output<typeof shape>
/** A scenario in the notation of scenario files. */
export type ScenarioInput = z.input<typeof shape>
export type Oracle = Scenario['oracle']
export type Seeds = Scenario['seeds']

/** The value is not a scenario. `faults` lists each fault with its path. */
export class InvalidScenario extends codedError('InvalidScenario', 'invalid-scenario') {
  readonly faults: readonly SpecFault[]
  constructor(faults: readonly SpecFault[]) {
    super(faults.map(faultLine).join('\n'))
    this.faults = faults
  }
}

/** Whether an error is an `InvalidScenario`. */
export const isInvalidScenario = guardOf(InvalidScenario)

/** The scenario in a value, or its faults. Never throws. */
export function readScenario(value: unknown): OrFaults<{ readonly scenario: Scenario }> {
  if (!isMap(value))
    return { faults: [{ path: SCENARIO, message: 'expected a map with scenario, name and graph' }] }
  const version = value.scenario
  if (typeof version === 'number' && version > SCENARIO_VERSION) {
    const message = `is written for version ${version} of the notation; this build understands version ${SCENARIO_VERSION}: upgrade escapement`
    return { faults: [{ path: 'scenario', message }] }
  }
  const read = shape.safeParse(value, { error: specMessageFor })
  if (!read.success) return { faults: faultsOf(read.error.issues, [], SCENARIO) }
  const faults = scenarioFaults(read.data)
  return faults.length > 0 ? { faults } : { scenario: withAblations(read.data) }
}

function withAblations(scenario: Scenario): Scenario {
  const [tested = {}] = Object.values(scenario.policies)
  return scenario.ablate
    ? { ...scenario, policies: { ...scenario.policies, ...ablations(tested) } }
    : scenario
}

/**
 * The scenario in a value, with its defaults.
 * @throws InvalidScenario
 * @example const storm = parseScenario({ scenario: 1, name: 'storm', graph: './agent.yaml', faults: [{ id: 'storm', on: 'tool:*', how: { p: 0.3 }, what: { timeout: '30s' } }] })
 */
export function parseScenario(value: ScenarioInput): Scenario {
  const { scenario: read, faults } = readScenario(value)
  if (read) return read
  throw new InvalidScenario(faults)
}

/** The JSON Schema of scenario files, for editors. */
export function scenarioJsonSchema(): Record<string, unknown> {
  return {
    $id: 'https://escapement.dev/schema/scenario-1.json',
    ...z.toJSONSchema(shape, { io: 'input', unrepresentable: 'any' }),
  }
}
