/** The result of the twelve scenarios in each framework, bare and watched. */
import { aiSdk } from './ai-sdk.ts'
import type { Framework, Outcome } from './framework.ts'
import { langchain } from './langchain.ts'
import { openAiAgents } from './openai-agents.ts'
import { mostBefore, SCENARIOS, type Scenario } from './scenario.ts'

export interface Compared {
  readonly framework: Framework
  readonly scenario: Scenario
  readonly bare: Outcome
  readonly watched: Outcome
}

export async function compared(): Promise<readonly Compared[]> {
  const all: Compared[] = []
  for (const framework of [langchain(), aiSdk, openAiAgents]) {
    for (const scenario of SCENARIOS)
      all.push({
        framework,
        scenario,
        bare: await framework.run(scenario, undefined),
        watched: await framework.run(scenario, watchedAs(scenario)),
      })
  }
  return all
}

/** The default policy, on a clock that advances by a millisecond each time it is read. */
export function watchedAs({ driven }: Scenario): Parameters<Framework['run']>[1] {
  let time = 0
  return {
    options: { ...(driven?.commandExpected ? { commandExpected: true } : {}) },
    now: () => ++time,
  }
}

const HEAD = `# Conformance

Twelve scenarios, run through the loop of each framework with a scripted model that ignores every message: once without the watchdog (*bare*), once with it under
its default policy (*watched*). \`REWRITE=1 npm run conformance\` writes this page, and a test checks it.

- *bare*, *watched*: model calls / tool executions, and how the run ended. Without the watchdog, a framework stops at its own limit, if it has one.
- *stepped in after*: model calls before the first intervention, and the most that are allowed: three laps of a loop of one call, or two laps of a longer loop, plus
  two calls. In healthy work, the watchdog must never intervene.
- LangChain runs with its retry middleware, which executes a failing tool three times for each call. In "no command", the agent announces its next step and makes no
  call. The driver answers "Go on.", twenty times.
`

export function reportText(all: readonly Compared[]): string {
  const names = [...new Set(all.map(({ framework }) => framework.name))]
  const tables = names.map(name => {
    const lines = all.filter(({ framework }) => framework.name === name).map(lineOf)
    return [
      `## ${name}`,
      '',
      '| scenario | bare | watched | stepped in after |',
      '|---|---|---|---|',
      ...lines,
    ].join('\n')
  })
  return `${[HEAD, ...tables].join('\n')}\n`
    .replaceAll('\n## ', '\n\n## ')
    .replaceAll('\n\n\n', '\n\n')
}

function lineOf({ scenario, bare, watched }: Compared): string {
  const before = watched.before === undefined ? 'never' : `${watched.before}`
  const most = scenario.period === undefined ? '' : ` (at most ${mostBefore(scenario)})`
  return `| ${scenario.name} | ${endText(bare)} | ${endText(watched)} | ${before}${most} |`
}

function endText({ modelCalls, executions, ended }: Outcome): string {
  return `${modelCalls} / ${executions}, ${ended}`
}
