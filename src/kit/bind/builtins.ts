/** The tools that ship, by the name under which a spec uses them. */
import { z } from 'zod'
import { type Fault, faultsOf } from '../../core/graph/spec/fault.ts'
import type { Json } from '../../core/watch/data/json.ts'
import type { Tool } from '../../runtime/ports.ts'
import { attemptCompletion, reportStuck } from '../tools/attempt-completion.ts'
import { flaky, flakySettings } from '../tools/flaky.ts'
import { grep } from '../tools/grep.ts'
import { listDir } from '../tools/list-dir.ts'
import { readFile } from '../tools/read-file.ts'
import type { Workspace } from '../workspace.ts'

export type Made<T> =
  | { readonly value: T; readonly faults?: undefined }
  | { readonly value?: undefined; readonly faults: readonly Fault[] }

interface BuiltinTerms {
  readonly workspace: Workspace
  /** The tool's own settings, `with:` in the spec. */
  readonly settings: Json
}

type BuiltinMaker = (given: BuiltinTerms) => Made<Tool>

const BUILTINS: Readonly<Record<string, BuiltinMaker>> = {
  list_dir: from(z.strictObject({}), (_, { workspace }) => listDir(workspace)),
  read_file: from(z.strictObject({}), (_, { workspace }) => readFile(workspace)),
  grep: from(z.strictObject({}), (_, { workspace }) => grep(workspace)),
  attempt_completion: from(
    z.strictObject({ schema: z.record(z.string(), z.json()).optional() }),
    ({ schema }) => attemptCompletion(schema),
  ),
  report_stuck: from(z.strictObject({}), () => reportStuck()),
  flaky: from(flakySettings, settings => flaky(settings)),
}

export const COMPLETES = 'attempt_completion'

/** Makes a tool that ships. Paths of the faults are inside the tool's part of the spec. */
export function builtinTool(use: string, given: BuiltinTerms): Made<Tool> {
  const maker = Object.hasOwn(BUILTINS, use) ? BUILTINS[use] : undefined
  return (
    maker?.(given) ?? {
      faults: [
        {
          path: 'use',
          message: `there is no tool that ships as '${use}'; expected one of: ${Object.keys(BUILTINS).join(', ')}, or ./file.ts#export`,
        },
      ],
    }
  )
}

function from<S extends z.ZodType>(
  schema: S,
  make: (settings: z.output<S>, given: BuiltinTerms) => Tool,
): BuiltinMaker {
  return given => {
    const read = schema.safeParse(given.settings)
    if (!read.success) return { faults: faultsOf(read.error.issues, ['with']) }
    return { value: make(read.data, given) }
  }
}
