/**
 * Runs a story with `advance` alone: no runtime, no clock, no store. Commands are the events' own names and a few short forms:
 *
 *     start {"goal":"x"}                        thread.started
 *     +30s                                      the next event is that much later
 *     turn                                      turn.started, for everything runnable
 *     call search {"q":"x"} -> 3 hits           tool.called and tool.done        (`tool.called search {…}`, `tool.done search 3 hits`)
 *     call search {"q":"x"} !! HTTP 503         tool.called and tool.failed, for good (`tool.failed search try=1 …` is one attempt)
 *     ask fast -> wants search {"q":"x"}        model.called and model.done      (`-> says hello`, `-> gives no command`)
 *     node.done {"n":1} label=x                 also node.failed, rollback.done, rollback.failed, tick, resume, cancel, circuit.refused, call.late, policy.changed
 *
 * `@act` names the effect where several are pending, by its state or its id; `&` at the end: other calls of the batch are still
 * out; `3x` repeats, and `;` joins commands.
 */
import { advance } from '../../src/core/advance.ts'
import type { Effect } from '../../src/core/run/effects.ts'
import { workingNodes } from '../../src/core/graph/spec/spec.ts'
import { type Run, initialRun } from '../../src/core/run/run.ts'
import type { AgentEvent, Stamped } from '../../src/core/watch/event/event.ts'
import { eventOf, type CoreScript } from './core-events.ts'
import { machineOfStory } from './machine-of.ts'
import { failureText, noted, short, standing } from './print.ts'
import type { Blocks, Runner } from './story.ts'
import { duration } from './words.ts'

/** Stories begin at a time that is not zero, as threads do. */
const START = 1_000_000

export function coreRunner(blocks: Blocks): Runner {
  const { machine, spec } = machineOfStory(blocks)
  let run: Run | undefined
  let at = START
  let news: string[] = []
  const made = new Map<string, number>()
  const open = new Map<string, string>()

  /** What is done is begun before, as by the runtime; `turn` says it where it matters. */
  const begin = (id: string) => {
    const effect = run?.pending.find(pending => pending.id === id)
    if (effect?.type === 'invoke' && effect.starts === 0)
      happened({ type: 'turn.started', effect: id, region: effect.region, epoch: 1 })
  }
  const happened = (event: AgentEvent) => {
    if ('effect' in event && event.type !== 'turn.started') begin(event.effect)
    const stamped = { ...event, at } as Stamped
    run = advance(machine, run ?? initialRun(stamped as Parameters<typeof initialRun>[0]), stamped)
    const [first, ...more] = [
      ...('failure' in event ? [`failed   ${failureText(event.failure)}`] : []),
      ...noted(run.last),
    ]
    if (first)
      news.push(`${String(run.seq).padEnd(3)} ${first}`, ...more.map(line => `    ${line}`))
    return run
  }
  const telling: CoreScript = {
    machine,
    effectsOf: tool => spec?.tools[tool]?.effects ?? 'read',
    repeatable: tool =>
      (spec?.tools[tool]?.effects ?? 'read') === 'read' || spec?.tools[tool]?.idempotent === true,
    expectsCommand: () =>
      (spec ? workingNodes(spec) : []).some(
        ([, node]) => 'command' in node && node.command === 'required',
      ),
    run: () => {
      if (!run) throw new Error('a story begins with `start`')
      return run
    },
    keys: new Map(),
    effect: named => (run ? effectOf(run, named) : undefined),
    call(subject, effect, again) {
      const known = open.get(subject)
      if (again && known) return known
      const nth = (made.get(effect) ?? 0) + 1
      made.set(effect, nth)
      open.set(subject, `${effect}/${nth}`)
      return `${effect}/${nth}`
    },
  }
  const runCommand = (command: string): void => {
    const repeated = /^(\d+)x (.*)$/.exec(command)
    if (repeated)
      for (let turn = Number(repeated[1]); turn > 0; turn--) runCommand(repeated[2] ?? '')
    else if (command.includes('; ')) command.split('; ').forEach(runCommand)
    else if (command.startsWith('+')) at += duration(command.slice(1))
    else for (const event of eventOf(telling, command)) happened(event)
  }
  return {
    run: runCommand,
    output() {
      const lines = [...news, ...(run ? standing(run) : [])]
      news = []
      return lines
    },
  }
}

/** `act` or `act#2`; without a name the first that can be worked on, or the first at all. */
function effectOf(run: Run, named: string | undefined): Pick<Effect, 'id' | 'region'> | undefined {
  if (named === undefined)
    return run.pending.find(({ type }) => type === 'invoke') ?? run.pending[0]
  const found = run.pending.find(({ id, state }) => short(id) === named || short(state) === named)
  return found ?? { id: named, region: '' }
}
