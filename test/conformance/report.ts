/** What the twelve scenarios come to in each framework, bare and watched. */
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

/** The default policy, on a clock that goes on by a millisecond whenever it is asked. */
export function watchedAs({ driven }: Scenario): Parameters<Framework['run']>[1] {
  let time = 0
  return {
    options: { ...(driven?.commandExpected ? { commandExpected: true } : {}) },
    now: () => ++time,
  }
}

const HEAD = `# Conformance

The same twelve scenarios, run through the real loop of each framework with a scripted model that heeds nothing it is told: once bare, once with the
watchdog under its default policy. Written by \`REWRITE=1 npm run conformance\`; a test checks that it is current.

- *bare*, *watched*: calls of the model / executions of tools, and how it ended. Bare, a framework stops by a limit of its own, where it has one.
- *stepped in after*: calls of the model before the watchdog first did something, and how many it may take: three laps of a loop of one call, two of a longer one, and two
  calls more. In legitimate work it must never step in.
- langchain runs with its own retry middleware, which executes a failing tool three times for each call. "No command" is an agent that says what it will do and does
  nothing; whoever drives it says "Go on." after each answer, twenty times.
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
