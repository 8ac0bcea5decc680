/** Tools that follow a script. */
import type { Calling, Tool } from '../runtime/ports.ts'
import { type FakeTool, fakeFault, isFakeTool, withFake } from './fake-tool.ts'
import { faultOf, stepsOf, type ToolStep } from './scripted-model.ts'

/**
 * A tool in a test: steps in order, one step for every call, or a function of the arguments, which the tool has checked. As an object, with
 * a `reconcile` and a `compensate` beside it: `{ execute: fails(500), reconcile: async () => ({ answer: 'applied' }) }`.
 */
export type ToolScript = ExecuteScript | FakeTool<ExecuteScript>

type ExecuteScript = readonly ToolStep[] | ToolStep | ToolFunction

// biome-ignore lint/suspicious/noExplicitAny: a graph does not have the types of its tools, and each names its arguments.
type ToolFunction = (args: any, call: Calling) => unknown

/** Replaces the functions of the tool that reach an external system, and keeps everything else. @throws TypeError */
export function toolOf(tool: Tool, name: string, script: ToolScript): Tool {
  const fake = isFakeTool(script) ? script : { execute: script }
  const fault = fakeFault(fake)
  if (fault !== undefined) throw new TypeError(`tools.${name}: ${fault}`)
  const { execute } = fake
  const run: Tool['execute'] =
    typeof execute === 'function'
      ? async (args, call) => execute(args, call)
      : runSteps(tool.name, stepsOf(execute))
  return withFake(tool, { ...fake, execute: run })
}

function runSteps(name: string, steps: readonly ToolStep[]): Tool['execute'] {
  const used = steps.map(() => 0)
  return async (args, call) => {
    const index = steps.findIndex(({ times = 1 }, at) => times === 'always' || used[at] !== times)
    const step = steps[index]
    if (!step) {
      const count = used.reduce((a, b) => a + b, 0)
      throw new Error(
        `the script of the tool '${name}' is used up after ${count} calls; add a step for the arguments ${JSON.stringify(args)}, or repeat the last one`,
      )
    }
    used[index] = (used[index] ?? 0) + 1
    if (step.hang) await call.sleep(Number.POSITIVE_INFINITY)
    if (step.latency) await call.sleep(step.latency)
    if (step.fail) throw faultOf(step.fail)
    return step.returns ?? null
  }
}
