/** Injects faults innermost, around tools and models: retries, breakers, detectors and the ladder are the real ones. */
import type { Calling, Clock, Graph, Model, Tool } from '../../runtime/ports.ts'
import { replaceParts } from '../../testing/replace.ts'
import { chanceOf } from '../process/chance.ts'
import type { Occasion } from '../process/occurrence.ts'
import type { TargetKind } from '../scenario/fault.ts'
import {
  type CallName,
  type Decide,
  type Effects,
  type TapeEntry,
  type TargetCall,
  targetOf,
} from './call.ts'
import { askWith, type Habit } from './model-effects.ts'
import { type Earlier, executeWith } from './tool-effects.ts'
import { Writes } from './writes.ts'

interface InjectorOptions {
  readonly decide: Decide
  readonly clock: Pick<Clock, 'now'>
  readonly seed: number
  /** Called with each injected effect. */
  readonly onInject?: (entry: TapeEntry) => void
}

/** The requests at a target, by their keys. */
type Requests = Map<string, Attempts>

interface Attempts {
  readonly request: number
  times: number
}

/** Calls that are listed: more than an exploration needs. */
const CALLS_MAX = 64

export class Injector {
  /** What was injected so far. */
  readonly tape: TapeEntry[] = []
  /** The first calls of tools and models, in order. */
  readonly calls: CallName[] = []
  /** How often each fault occurred so far. */
  readonly times: Record<string, number> = {}
  readonly writes = new Writes()
  readonly #options: InjectorOptions
  readonly #start: number
  readonly #counts = new Map<string, number>()
  readonly #requests = new Map<string, Requests>()

  constructor(options: InjectorOptions) {
    this.#options = options
    this.#start = options.clock.now()
  }

  /** In ms since the start. */
  readonly now = (): number => this.#options.clock.now() - this.#start

  /** Counts a call at a target, and returns the effects on it. `request`: equal for all attempts of one request. */
  meet(
    kind: TargetKind,
    name: string,
    { request, ...of }: Omit<TargetCall, keyof Occasion | 'kind' | 'name'> & { request?: string },
  ): Effects {
    const target = targetOf({ kind, name })
    const index = (this.#counts.get(target) ?? 0) + 1
    this.#counts.set(target, index)
    const drawKey = request === undefined ? String(index) : this.#drawKey(target, request)
    const at = this.now()
    if (this.calls.length < CALLS_MAX && (kind === 'tool' || kind === 'model'))
      this.calls.push({ target, index })
    const hits = this.#options.decide({ ...of, kind, name, index, drawKey, at })
    for (const { fault, effect } of hits) {
      this.times[fault] = (this.times[fault] ?? 0) + 1
      const entry = { at, target, index, node: of.node, fault, effect }
      this.tape.push(entry)
      this.#options.onInject?.(entry)
    }
    const chance = chanceOf(this.#options.seed)
    return {
      hits,
      index,
      now: this.now,
      chance: purpose => chance('effect', target, drawKey, purpose),
    }
  }

  /** `2`: the first attempt of the second request at the target; `2.3`: its third attempt. */
  #drawKey(target: string, request: string): string {
    const known = this.#requests.get(target) ?? new Map<string, Attempts>()
    this.#requests.set(target, known)
    const attempts = known.get(request) ?? { request: known.size + 1, times: 0 }
    known.set(request, attempts)
    attempts.times++
    return attempts.times === 1 ? String(attempts.request) : `${attempts.request}.${attempts.times}`
  }

  /**
   * The graph and all graphs below it, with faults around their tools and models. Their identities are others: a service that shares
   * the store must not continue a simulated thread, with real tools.
   */
  around(graph: Graph): Map<Graph, Graph> {
    return replaceParts(graph, {
      machine: machine => ({ ...machine, hash: `simulated-${machine.hash}` }),
      tool: (tool, name) => this.#tool(tool, name),
      model: (model, name) => this.#model(model, name),
    })
  }

  #tool(tool: Tool, name: string): Tool {
    const earlier: Earlier = new Map()
    const { effects } = tool
    return Object.assign(Object.create(tool) as Tool, {
      execute: (args: Parameters<Tool['execute']>[0], call: Calling) => {
        const met = this.meet('tool', name, { ...placeOf(call), effects })
        const execute = () => tool.execute(args, call)
        const { idempotencyKey: key } = call
        return executeWith(met, { args, call, earlier }, () =>
          effects === 'write' ? this.writes.perform({ tool, name, key }, execute) : execute(),
        )
      },
    })
  }

  #model(model: Model, name: string): Model {
    const habit: Habit = { repeats: 0 }
    return Object.assign(Object.create(model) as Model, {
      ask: (...[request, call]: Parameters<Model['ask']>) =>
        askWith(this.meet('model', name, placeOf(call)), { request, call, habit }, changed =>
          model.ask(changed, call),
        ),
    })
  }
}

/** Node and entry from the key of a call: `thread/plan#2/1`. */
function placeOf({ idempotencyKey: request, attempt }: Calling) {
  const effect = request.split('/').at(-2) ?? ''
  const [node = '', visit = '1'] = effect.split('#')
  return { node, visit: Number(visit), attempt, request }
}
