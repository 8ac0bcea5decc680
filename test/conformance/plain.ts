/** A loop written by hand. */
import { watchdog } from '../../src/core/watch/dog/dog.ts'
import type { Fate, Made } from '../../src/core/watch/dog/turn.ts'
import { Counted, type Framework } from './framework.ts'
import { TURNS, wordsTo } from './scenario.ts'

export const plain: Framework = {
  name: 'a loop by hand',
  async run(scenario, watched) {
    const of = new Counted(scenario)
    const tools = of.tools
    const now = watched?.now ?? (() => 0)
    const dog = watched && watchdog({ ...watched.options, record: of.record })
    const words = wordsTo(scenario)
    let rest = words.slice(1)
    dog?.begins(words[0], now())
    for (let turn = 0; scenario.driven || turn < TURNS; turn++) {
      dog?.asks(now())
      if (dog?.state.ended !== undefined) return of.outcome(`stopped (${dog.state.ended})`)
      const { text, calls = [] } = of.say()
      if (!dog && calls.length === 0 && !scenario.driven) return of.outcome('goal')
      const made = calls.map(({ tool, args }, place): Made => {
        const permit = dog?.permit(tool, now(), place) ?? {
          kind: 'go',
          tool,
          admission: 'pass',
          began: 0,
        }
        if (permit.kind === 'no') return { tool, args, fate: permit.fate }
        const settle = (thrown?: { readonly error: unknown }): Fate =>
          dog?.settle(permit, now(), thrown) ?? { began: 0, ended: 0 }
        try {
          const result = tools[permit.tool]?.(args)
          return { tool, args, fate: settle(), result }
        } catch (error) {
          return { tool, args, fate: settle({ error }) }
        }
      })
      dog?.turn({ at: now(), text, calls: made })
      if (dog?.state.ended !== undefined) return of.outcome(`stopped (${dog.state.ended})`)
      if (calls.length > 0) continue
      const [next] = rest
      if (next === undefined)
        return of.outcome(scenario.driven ? `${words.length} times told to go on` : 'goal')
      dog?.begins(next, now())
      rest = rest.slice(1)
    }
    return of.outcome(`${TURNS} turns`)
  },
}
