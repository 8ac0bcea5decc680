/** Command lines that write: `escapement run`, `fork`, `policy`, `import`, `export`, `resume`, `send`, `cancel` and `tick`. */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { FORK_EFFECTS } from '../../../src/core/watch/event/event.ts'
import type { ThreadSummary } from '../../../src/runtime/store/store.ts'
import type { Chance } from '../chance.ts'
import { ORDER } from './graphs.ts'

interface Setting {
  readonly folder: string
  readonly threads: readonly ThreadSummary[]
  readonly chance: Chance
  /** A name that no other process uses. */
  readonly name: string
}

type Line = (setting: Setting, thread: string) => readonly string[] | undefined

/** The arguments of each command; `undefined` where the store holds nothing for it yet. */
export const COMMANDS: Readonly<Record<string, Line>> = {
  run: ({ name }) => [ORDER, '--thread', `order-${name}`, '--input', '{"goal":"typed"}'],
  fork: ({ name, chance }, thread) => [
    ...[thread, '--as', `fork-${name}`, '--effects', chance.pick(FORK_EFFECTS)],
  ],
  policy: ({ chance }, thread) => [thread, '--set', `limits.steps=${60 + chance.below(30)}`],
  export: ({ folder, name }, thread) => [thread, '--out', join(folder, `${name}.escapement.gz`)],
  import({ folder, chance, name }) {
    const files = readdirSync(folder).filter(file => file.endsWith('.escapement.gz'))
    if (files.length === 0) return undefined
    return [join(folder, chance.pick(files)), '--as', `import-${name}`]
  },
  resume: (_, thread) => [thread, '--decision', 'approved'],
  send: (_, thread) => [thread, '--input', '{"goal":"typed again"}'],
  cancel: (_, thread) => [thread],
  tick: () => [],
}

export function commandLine(setting: Setting, command: string): readonly string[] | undefined {
  const { threads, chance, folder } = setting
  const roots = threads.filter(({ thread }) => !thread.includes('/'))
  const thread = roots.length > 0 ? chance.pick(roots).thread : ''
  if (thread === '' && !['run', 'tick'].includes(command)) return undefined
  const args = COMMANDS[command]?.(setting, thread)
  return args && [command, ...args, '--store', join(folder, 'threads.db'), '--json']
}
