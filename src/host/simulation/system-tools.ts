/** The tools of a spec whose code is in a program (`use: code`): a fake system can take their place. */
import { guardRun } from '../../adapters/spec/exit-guard.ts'
import { CODE } from '../../core/graph/spec/name.ts'
import type { Spec } from '../../core/graph/spec/spec.ts'
import { performedNodes } from '../../core/graph/spec/spec.ts'
import { redactEnvironment } from '../../kit/redact-environment.ts'
import { tool } from '../../kit/tool.ts'
import type { Tool } from '../../runtime/ports.ts'
import { createSystem, type CreateSystem } from '../../simulate/run/fake-system.ts'
import type { LoadedSpec } from '../drive/load.ts'

interface SystemTools {
  /** Each takes any arguments: a spec does not hold the schema of a tool in code. */
  readonly tools: Readonly<Record<string, Tool>>
  /** The parts of the specs that stay without code. */
  readonly missing: readonly { readonly message: string }[]
}

/** @throws SystemFailed */
export async function systemTools(
  loaded: LoadedSpec,
  system: CreateSystem | undefined,
): Promise<SystemTools> {
  const specs = [loaded.spec, ...Object.values(loaded.library)]
  const names = new Set(specs.flatMap(codeTools))
  const nodes = specs.flatMap(codeNodes)
  if (names.size + nodes.length === 0) return { tools: {}, missing: [] }
  const { tools = {} } = await guardRun(async () =>
    createSystem(system, { seed: 1, redact: redactEnvironment() }),
  )
  const [own, lost] = [[...names].filter(isIn(tools)), [...names].filter(not(isIn(tools)))]
  return {
    tools: Object.fromEntries(own.map(name => [name, placeholder(name)])),
    missing: [
      ...lost.map(name => ({
        message: `tools.${name} is code of a program; ${REPLACE}, or ${NAME}`,
      })),
      ...nodes.map(name => ({ message: `nodes.${name} is code of a program; ${NAME}` })),
    ],
  }
}

const REPLACE = 'add it to the `tools` of the fake system (`system`)'
const NAME = 'name the module that exports the graph, as ./FILE#NAME'

const isIn = (tools: object) => (name: string) => Object.hasOwn(tools, name)
const not = (holds: (name: string) => boolean) => (name: string) => !holds(name)

const codeTools = ({ tools }: Spec) =>
  Object.entries(tools).flatMap(([name, { use }]) => (use === CODE ? [name] : []))

const codeNodes = (spec: Spec) =>
  performedNodes(spec).flatMap(([name, { use }]) => (use === CODE ? [name] : []))

/** The system replaces what it executes, and the spec what it may do. */
const placeholder = (name: string): Tool =>
  tool({
    name,
    description: name,
    inputSchema: { type: 'object' },
    effects: 'write',
    execute: () => {
      throw new Error(`the fake system has no tool '${name}'`)
    },
  })
