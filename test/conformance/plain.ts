/** A hand-written loop. */
import { watchdog } from '../../src/core/watch/wrapped/watchdog.ts'
import type { CallOutcome, CompletedCall } from '../../src/core/watch/wrapped/turn.ts'
import { Counted, type Framework } from './framework.ts'
import { TURNS, wordsTo } from './scenario.ts'

export const plain: Framework = {
  name: 'a loop by hand',
  async run(scenario, watched) {
    const of = new Counted(scenario)
    const tools = of.tools
    const now = watched?.now ?? (() => 0)
    const monitor = watched && watchdog({ ...watched.options, record: of.record })
    const words = wordsTo(scenario)
    let rest = words.slice(1)
    monitor?.userMessage(words[0], now())
    for (let turn = 0; scenario.driven || turn < TURNS; turn++) {
      monitor?.beforeModelCall(now())
      if (monitor?.state.ended !== undefined) return of.outcome(`stopped (${monitor.state.ended})`)
      const { text, calls = [] } = of.say()
      if (!monitor && calls.length === 0 && !scenario.driven) return of.outcome('goal')
      const made = calls.map(({ tool, args }, place): CompletedCall => {
        const permit = monitor?.permit(tool, now(), place) ?? {
          kind: 'go',
          tool,
          admission: 'pass',
          began: 0,
        }
        if (permit.kind === 'no') return { tool, args, outcome: permit.outcome }
        const settle = (thrown?: { readonly error: unknown }): CallOutcome =>
          monitor?.settle(permit, now(), thrown) ?? { began: 0, ended: 0 }
        try {
          const result = tools[permit.tool]?.(args)
          return { tool, args, outcome: settle(), result }
        } catch (error) {
          return { tool, args, outcome: settle({ error }) }
        }
      })
      monitor?.afterModelTurn({ at: now(), text, calls: made })
      if (monitor?.state.ended !== undefined) return of.outcome(`stopped (${monitor.state.ended})`)
      if (calls.length > 0) continue
      const [next] = rest
      if (next === undefined)
        return of.outcome(scenario.driven ? `${words.length} × "Go on."` : 'goal')
      monitor?.userMessage(next, now())
      rest = rest.slice(1)
    }
    return of.outcome(`${TURNS} turns`)
  },
}
