/** Runs a scenario with one seed: an ordinary thread on virtual time, with faults around its tools and models. */
import type { Row, Run } from '../../core/run/run.ts'
import { type Json, defined, hash } from '../../core/watch/data/json.ts'
import { attributeEvents } from '../../core/watch/attribution/attribute.ts'
import type { Attribution } from '../../core/watch/attribution/fault.ts'
import type { Finding } from '../../core/watch/event/event.ts'
import { NOTHING_SPENT, type Spent } from '../../core/watch/event/call-event.ts'
import { factsOf } from '../../core/watch/failure/failure.ts'
import { explain } from '../../core/watch/reason/reason.ts'
import type { EscapePolicy } from '../../core/watch/policy/policy.ts'
import { drive } from '../../runtime/drive/drive.ts'
import { createGate } from '../../runtime/gate/gate.ts'
import type { Graph, Ports } from '../../runtime/ports.ts'
import { redactEnvironment } from '../../kit/redact-environment.ts'
import { Owners } from '../../runtime/store/lease.ts'
import { memoryStore } from '../../runtime/store/memory-store.ts'
import { replay } from '../../runtime/store/replay.ts'
import { checkName, type Store } from '../../runtime/store/store.ts'
import { virtualClock } from '../../testing/clock.ts'
import { beatOnWake, openQuestions, type Stage, takeStep } from '../../testing/stage.ts'
import type { CallName, Decide, Tape } from '../inject/call.ts'
import { faultsOfSeed } from '../inject/decide.ts'
import { Injector } from '../inject/injector.ts'
import type { Surroundings } from '../oracle/facts.ts'
import { OracleWatch, type Violation } from '../oracle/oracle.ts'
import { outcomeOf, type SimulatedOutcome } from '../oracle/outcome.ts'
import { type LoopTruth, LoopWatch } from '../oracle/true-loop.ts'
import type { Scenario } from '../scenario/scenario.ts'
import {
  createSystem,
  type CreateSystem,
  type FakeSystem,
  OpenCalls,
  withSystem,
} from './fake-system.ts'
import { People, type RecordedAnswers, type UnansweredQuestion } from './people.ts'
import { Processes } from './crash.ts'
import { reportNoScript } from './unscripted.ts'

/** A scenario bound to the graph of one policy. */
export interface Subject {
  readonly scenario: Scenario
  readonly policy: string
  readonly graph: Graph
  readonly system?: CreateSystem | undefined
  /** Redacts what a run shows and journals, also in memory. Default: known forms of secrets, and secrets of the environment. */
  readonly redact?: Ports['redact']
}

/** The options of `simulate`. */
export interface SimulateOptions {
  readonly seed: number
  /** Default: a store in memory. */
  readonly store?: Store
  readonly thread?: string
  /** Replaces the faults of the scenario. */
  readonly decide?: Decide
  /** Answers of people, by question. */
  readonly answers?: RecordedAnswers
  /** The orders of rungs that a recorded run has learned. */
  readonly orders?: EscapePolicy['orders']
  /** Ends the run. */
  readonly signal?: AbortSignal
}

/** A finding, without its evidence. */
export type FoundLoop = Pick<Finding, 'kind' | 'detector' | 'onset' | 'noticed'>

/** What one run shows, as plain JSON. */
export interface SimulatedRun {
  readonly seed: number
  readonly policy: string
  readonly outcome: SimulatedOutcome
  /** Why it ended, in one sentence. */
  readonly because: string
  /** The reason code of the end; empty while it waits. */
  readonly reason: string
  readonly output: Json
  readonly spent: Spent
  /** Virtual time, in ms. */
  readonly took: number
  readonly findings: readonly FoundLoop[]
  /** The rungs of its escapes, in order. */
  readonly escapes: readonly string[]
  readonly violations: readonly Violation[]
  /** The questions that no decision of `people` fits. They stayed open. */
  readonly unanswered: readonly UnansweredQuestion[]
  /** The `sometimes` that were true. */
  readonly seen: readonly string[]
  /** According to `progress` of the fake system. */
  readonly truth?: LoopTruth
  /** What began it, from the journal alone; only if the run ends badly, and the journal shows it. */
  readonly fault?: Attribution
  readonly tape: Tape
  /** The first calls of tools and models, in order. */
  readonly calls: readonly CallName[]
  /** Identifies the journal, and the facts of the fake system. */
  readonly hash: string
  readonly rows: number
}

/** A simulated run and its journal. */
export type SimulatedThread = SimulatedRun & { readonly journal: readonly Row[] }

const redactForms = redactEnvironment()

const THREAD = 'simulation'
/** Midnight of 1 January 2026, UTC. */
const START = 1_767_225_600_000
const STEPS_MAX = 10_000

/**
 * Runs a scenario with one seed. The same seed gives the same journal.
 * @throws OracleFailed for a condition that throws, SystemFailed for a fake system that throws or hangs, InvalidScenario for a model that is
 * asked and has no script, ReservedName; the signal's reason
 * @example const { outcome, tape } = await simulate({ scenario, policy: 'default', graph }, { seed: 7 })
 */
export async function simulate(
  subject: Subject,
  options: SimulateOptions,
): Promise<SimulatedThread> {
  const { scenario, policy, redact = redactForms } = subject
  const { seed, store = memoryStore(), thread = THREAD, signal } = options
  signal?.throwIfAborted()
  checkName(thread)
  const clock = virtualClock(START)
  const injector = new Injector({
    decide: options.decide ?? faultsOfSeed(scenario, seed),
    clock,
    seed,
  })
  const watch = new OracleWatch(scenario.oracle)
  const broken = Promise.withResolvers<never>()
  const abort = () => broken.reject(signal?.reason)
  signal?.addEventListener('abort', abort, { once: true })
  const system = createSystem(subject.system, { seed, redact })
  const open = new OpenCalls(broken.reject)
  const model = reportNoScript(broken.reject)
  const fake = withSystem(subject.graph, system, { open, model, writes: injector.writes })
  const graphs = injector.around(fake)
  const loops = system.progress && new LoopWatch(system.progress)
  const around = surroundingsOf(scenario, injector, system)
  let last: Run | undefined
  const ports: Ports = {
    graph: graphs.get(fake) as Graph,
    store,
    clock,
    gate: createGate(),
    wall: clock.now,
    ...{ owner: THREAD, owners: new Owners() },
    isOwnerDead: () => false,
    ...beatOnWake(),
    redact,
    live: update => {
      if (update.kind !== 'rows' || update.thread !== thread) return
      last = update.items.at(-1)?.run ?? last
      try {
        for (const item of update.items) {
          loops?.observe(item.row)
          if (watch.isNeeded) watch.observe({ ...item, around: around() })
        }
      } catch (error) {
        broken.reject(error)
      }
    },
  }
  const people = new People({ ...scenario, injector, clock, answers: options.answers })
  const stage: Stage = { ports, thread, graphs: [...graphs.values()], people }
  const crashes = scenario.faults.some(({ on }) => on.kind === 'commit')
  const processes = new Processes(ports, crashes ? injector : undefined)
  const { input } = scenario
  const playing = play(stage, processes, { input, seed, orders: options.orders })
  const error = await Promise.race([playing, broken.promise]).finally(() => {
    open.end()
    signal?.removeEventListener('abort', abort)
  })
  watch.end()
  return {
    seed,
    policy,
    ...(await judged(stage, { watch, system, error, last, redact })),
    ...defined({ truth: loops?.truth }),
    unanswered: redact(people.unanswered),
    tape: injector.tape,
    calls: injector.calls,
  }
}

function surroundingsOf({ heal, faults }: Scenario, injector: Injector, system: FakeSystem) {
  const never = Object.fromEntries(faults.map(({ id }) => [id, 0]))
  return (): Surroundings => ({
    injected: () => ({ ...never, ...injector.times }),
    healed: heal !== undefined && injector.now() >= heal,
    system: () => system.facts?.() ?? null,
  })
}

/** Runs the thread to its end, or until it would wait forever. Returns the error of the runtime, if any. */
async function play(stage: Stage, processes: Processes, start: DriveStart): Promise<unknown> {
  try {
    await processes.complete(async ports => {
      const isStored = (await ports.store.thread(stage.thread)) !== undefined
      await drive(ports, stage.thread, isStored ? {} : { start })
    })
    let step = 1
    await processes.complete(async ports => {
      while (await takeStep({ ...stage, ports }, step))
        if (++step > STEPS_MAX) throw new Error(`the run has not ended after ${STEPS_MAX} waits`)
    })
    return undefined
  } catch (error) {
    return error
  }
}

type DriveStart = NonNullable<NonNullable<Parameters<typeof drive>[2]>['start']>

interface Finished {
  readonly watch: OracleWatch
  readonly system: FakeSystem
  readonly error: unknown
  /** The run after the last event that was shown. A process that stops at a commit shows no event. */
  readonly last: Run | undefined
  readonly redact: Ports['redact']
}

async function judged(stage: Stage, { watch, system, error, last, redact }: Finished) {
  const { store, graph } = stage.ports
  const journal = await store.rows(stage.thread)
  const isCurrent = last?.seq === journal.at(-1)?.seq
  const run = isCurrent ? last : await replay(graph.machine, store, stage.thread)
  const asks = (await openQuestions(stage)).length > 0
  const output = run?.ended?.result ?? null
  const isGoal = run?.ended?.outcome === 'success'
  const truth = isGoal ? truthOf(watch, system, output) : {}
  const outcome = outcomeOf({ run, rows: journal, error: error !== undefined, asks, ...truth })
  const isBad = outcome !== 'success' || watch.violations.length > 0
  const fault = isBad ? attributeEvents(journal.map(({ event }) => event)) : undefined
  return {
    outcome,
    ...defined({ fault }),
    because: redact(becauseOf(run, error, asks)),
    reason: run?.ended?.reason ?? '',
    output: redact(output),
    ...figuresOf(run, journal),
    violations: redact(watch.violations),
    seen: [...watch.seen],
    hash: hash(JSON.stringify([journal, redact(system.facts?.() ?? null)])),
    rows: journal.length,
    journal,
  }
}

/** A reached goal is correct and complete, as far as the scenario can say. */
function truthOf(watch: OracleWatch, system: FakeSystem, output: Json) {
  const correct = watch.judge('correct') ?? system.correct?.(output)
  return defined({ correct, degraded: watch.judge('degraded') })
}

function becauseOf(run: Run | undefined, error: unknown, asks: boolean): string {
  if (error !== undefined) return factsOf(error).message
  if (run?.ended) return explain(run.ended.because)
  return asks ? 'waits for a person' : 'waits, and nothing would continue it'
}

function figuresOf(run: Run | undefined, journal: readonly Row[]) {
  return {
    spent: run?.watch.account.spent ?? NOTHING_SPENT,
    took: run ? run.at - run.startedAt : 0,
    findings: journal.flatMap(({ findings }) =>
      findings.map(({ kind, detector, onset, noticed }) => ({ kind, detector, onset, noticed })),
    ),
    escapes: journal.flatMap(({ verdict }) =>
      verdict.kind === 'escape' ? [verdict.route.rung] : [],
    ),
  }
}
