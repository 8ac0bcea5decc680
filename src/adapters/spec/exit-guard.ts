/** Loads and runs code of a user that must not end the process: the command would end with the exit code of that code, often 0. */
import { oneLine } from '../../core/watch/data/invisible.ts'
import { basename } from 'node:path'

/** The cause of the end was printed. */
let isExplained = false

interface Guard {
  readonly message: string
}

/** Those of the work that has not ended. The innermost knows best what has ended the process. */
const guards = new Set<Guard>()

function explainExit(): void {
  const guard = [...guards].at(-1)
  if (isExplained || !guard) return
  process.stderr.write(`error: ${oneLine(guard.message)}\n`)
  process.exitCode = 2
}

/** Runs the work. If the process ends before it, `message` is printed, and the exit code is 2. */
export async function guardExit<T>(message: string, work: () => Promise<T>): Promise<T> {
  const guard = { message }
  if (guards.size === 0) process.once('exit', explainExit)
  guards.add(guard)
  try {
    return await work()
  } finally {
    guards.delete(guard)
    if (guards.size === 0) process.off('exit', explainExit)
  }
}

/** Ends the process also where that is guarded, after an error whose text was printed. */
export function exitExplained(code: number): never {
  isExplained = true
  process.exit(code)
}

/** Guards a simulated run, in which tools and nodes are code of the user. */
export const guardRun = <T>(work: () => Promise<T>): Promise<T> =>
  guardExit('the fake system or the graph ended the process; look for process.exit in them', work)

/** Guards a command, in which parts of a graph are code of the user: tools and nodes, and in each replay reducers and detectors. */
export const guardCommand = <T>(work: () => Promise<T>): Promise<T> =>
  guardExit('code of the graph ended the process; look for process.exit in it', work)

/** Guards the creation of a graph, which calls the functions that create its tools. */
export const guardBind = <T>(file: string, bind: () => T): Promise<T> =>
  guardExit(
    `'${basename(file)}': a function that creates a tool ended the process; look for process.exit in it`,
    async () => bind(),
  )
