/** What conditions read after one event. */
import type { Row, Run } from '../../core/run/run.ts'
import type { Json } from '../../core/watch/data/json.ts'
import type { FactName } from '../scenario/condition.ts'

/** What the lab knows beside the journal. */
export interface Surroundings {
  /** How often each fault occurred so far. */
  readonly injected: () => Readonly<Record<string, number>>
  /** Whether all faults are over. */
  readonly healed: boolean
  /** The facts of the fake system; `null` without one. */
  readonly system: () => Json
}

interface Observed {
  readonly row: Row
  readonly run: Run
  readonly around: Surroundings
}

type Fact = (of: Observed) => Json

const FACTS: Readonly<Record<FactName, Fact>> = {
  event: ({ row }) => row.event as unknown as Json,
  state: ({ run }) => run.snapshot.value as Json,
  context: ({ run }) => run.snapshot.context as Json,
  /** Seconds since the start. */
  time: ({ run }) => (run.at - run.startedAt) / 1_000,
  steps: ({ run }) => run.watch.account.spent.steps,
  toolCalls: ({ run }) => run.watch.account.spent.toolCalls,
  modelCalls: ({ run }) => run.watch.account.spent.modelCalls,
  tokens: ({ run }) => run.watch.account.spent.tokens,
  usd: ({ run }) => run.watch.account.spent.usd,
  ended: ({ run }) => run.ended !== undefined,
  outcome: ({ run }) => run.ended?.outcome ?? '',
  reason: ({ run }) => run.ended?.reason ?? '',
  output: ({ run }) => run.ended?.result ?? null,
  /** The kinds of the findings at this event. */
  findings: ({ row }) => row.findings.map(({ kind }) => kind),
  /** The rung of the escape at this event. */
  escape: ({ row: { verdict } }) => (verdict.kind === 'escape' ? verdict.route.rung : ''),
  breakers: ({ run }) => Object.keys(run.openBreakers),
  injected: ({ around }) => around.injected(),
  healed: ({ around }) => around.healed,
  system: ({ around }) => around.system(),
}

export type ReadFact = (name: FactName) => Json

/** Reads the value of a name after an event. */
export const factsAfter =
  (observed: Observed): ReadFact =>
  name =>
    FACTS[name]?.(observed) ?? null

/** Parts of an event or a run, which never change: a part with another value is another object. */
const IMMUTABLE: ReadonlySet<FactName> = new Set(['event', 'state', 'context', 'output'])

/** Equal for equal values of a fact. A fake system may change the object of its facts, so their text counts. */
export const stampOf = (name: FactName, value: Json): unknown =>
  IMMUTABLE.has(name) || typeof value !== 'object' ? value : JSON.stringify(value)
