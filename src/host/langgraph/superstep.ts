/** One superstep: drives the thread for one turn, or asks a person, and says which node is next. */
import { Command, END, interrupt, type LangGraphRunnableConfig } from '@langchain/langgraph'
import { nextRound } from '../../core/rounds.ts'
import { isOver, type Run, runnable } from '../../core/run/run.ts'
import { type Json, defined } from '../../core/watch/data/json.ts'
import { parentIn } from '../../core/watch/data/thread-name.ts'
import { explain } from '../../core/watch/reason/reason.ts'
import { drive, type DriveOptions } from '../../runtime/drive/drive.ts'
import type { SuperstepParts } from './options.ts'
import { type Answered, answerOf, askingOf, childIn, isAsking } from './people.ts'
import { type StateUpdate, type StateValues, viewOf } from './state.ts'
import { type SuperstepStream, streamOf } from './stream.ts'
import { isChosen, type Place, Threads } from './threads.ts'

/** What LangGraph passes to a node. */
export interface Site {
  readonly state: StateValues
  readonly config: LangGraphRunnableConfig
}

export type Next = Command<unknown, StateUpdate, string>

/** The supersteps of one graph. */
export class Supersteps {
  readonly #parts: SuperstepParts
  readonly #threads: Threads

  constructor(parts: SuperstepParts) {
    this.#parts = parts
    this.#threads = new Threads(parts)
  }

  /** Starts a thread, or sends the input as a message to the existing one. Performs nothing. */
  async begin(site: Site): Promise<Next> {
    const input = (site.state.input ?? null) as Json
    const place = await this.#threads.open(site.state, site.config)
    const { thread, ports } = place
    const work = new Work(site, place, this.#parts)
    const [first] = await ports.store.rows(thread, -1, 1)
    const message = taskOf(site)
    if (!first) {
      const { seed = Math.floor(Math.random() * 2 ** 31) } = this.#parts.options
      return this.#next(work, await work.drive({ start: { input, seed, message }, turns: 0 }))
    }
    // A fork from the start repeats it. After a crash before the checkpoint of LangGraph, the thread has already started with this input.
    const isRepeated = isChosen(site.config) && !site.state.escapement
    const isStarted = first.event.type === 'thread.started' && first.event.message === message
    if (isRepeated || isStarted || input === null)
      return this.#next(work, await work.drive({ turns: 0 }))
    return this.#answer(work, { thread, command: { type: 'message', input } })
  }

  /** The work of the LangGraph node `name`. The turn includes the effects of other regions. */
  async perform(name: string, site: Site): Promise<Next> {
    const found = await this.#threads.find(site.state, site.config)
    const { run, thread } = found
    const { store } = found.ports
    const work = new Work(site, found, this.#parts)
    // After a crash, the store can be ahead of LangGraph: another node is next, or the answer is applied.
    const { state } = await store.command(thread, taskOf(site))
    const isAhead = this.#nodeAfter(run) !== name || state !== 'unknown'
    if (!isAhead && takesTurn(run)) return this.#next(work, await work.drive({ turns: 1 }))
    // Answers that came by another way, and deadlines, precede the question.
    const settled = await work.drive({ turns: 0 })
    if (isAhead || this.#nodeAfter(settled) !== name || !isAsking(settled))
      return this.#next(work, settled)
    const { rejected } = site.state.escapement
    const asking = await askingOf(
      { thread, store, graph: this.#parts.graph, run: settled },
      rejected,
    )
    return this.#answer(work, answerOf(asking, interrupt(asking)))
  }

  async #answer(work: Work, answer: Answered): Promise<Next> {
    const rejected = answer.rejected ?? (await work.submit(answer))
    const run = await work.drive({ turns: 0 })
    return this.#next(work, run, rejected ?? (await work.refusal()))
  }

  async #next({ site, place, stream }: Work, run: Run, rejected?: string): Promise<Next> {
    await stream.flush()
    const { thread } = place
    const shown = { thread, run, rows: stream.rows, before: site.state, ...defined({ rejected }) }
    const view = viewOf(this.#parts.graph.machine, shown)
    this.#threads.keep(view.escapement, { ...place, run })
    const journal = await this.#threads.newRows(site.state, place)
    return new Command({ update: { ...view, ...journal }, goto: this.#nodeAfter(run) })
  }

  #nodeAfter(run: Run): string {
    if (run.ended && !nextRound(run)) return END
    const { pending } = run
    const lead = runnable(run)[0] ?? pending.find(({ type }) => type === 'wait') ?? pending[0]
    return lead ? this.#parts.nodeOf(lead.state) : END
  }
}

/** The drives of one superstep. */
class Work {
  readonly site: Site
  readonly place: Place
  readonly stream: SuperstepStream
  readonly #parts: SuperstepParts
  #run: Run | undefined

  constructor(site: Site, place: Place, parts: SuperstepParts) {
    this.site = site
    this.place = place
    this.stream = streamOf(site.config, place.thread)
    this.#parts = parts
    this.#run = place.run
  }

  async drive(turn: Pick<DriveOptions, 'start' | 'turns'>): Promise<Run> {
    const { thread, ports } = this.place
    this.#run = await drive({ ...ports, live: this.stream.live }, thread, {
      ...turn,
      ...this.#leave,
      known: this.#run,
    })
    return this.#run
  }

  /** Queues a command, and drives the child thread that it is for. Returns why it was refused. */
  async submit({ thread: asked, command }: Accepted): Promise<string | undefined> {
    const { thread, ports } = this.place
    const { store, clock, redact } = ports
    const { graph, portsOf } = this.#parts
    await store.submit(asked, taskOf(this.site), redact({ at: clock.now(), ...command }))
    for (let at = asked; at !== thread; at = parentIn(at) ?? thread) {
      const child = await childIn({ graph, store, thread }, at)
      const inner = portsOf({ store, live: this.stream.live, graph: child.graph })
      if (!isOver(await drive(inner, at, this.#leave))) break
    }
    return this.refusal(asked)
  }

  /** Why the command of this superstep was refused, if it was. */
  async refusal(asked = this.place.thread): Promise<string | undefined> {
    const command = await this.place.ports.store.command(asked, taskOf(this.site))
    return command.state === 'refused' ? explain(command.reason) : undefined
  }

  get #leave(): Pick<DriveOptions, 'leave'> {
    return defined({ leave: this.site.config.signal })
  }
}

type Accepted = Extract<Answered, { readonly command: object }>

const takesTurn = (run: Run): boolean =>
  runnable(run).length > 0 || (!run.ended && run.pending.some(({ type }) => type === 'wait'))

/** Names the superstep: the same when LangGraph repeats it after a crash. */
const taskOf = ({ config }: Site): string => `langgraph ${config.executionInfo?.taskId ?? ''}`
