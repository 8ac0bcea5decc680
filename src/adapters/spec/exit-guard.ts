/** Loads and runs code of a user that must not end the process: the command would end with the exit code of that code, often 0. */
import { basename } from 'node:path'
import { oneLine } from '../../core/watch/data/fault.ts'

/** The cause of the end was printed. */
let isExplained = false

/** Runs the work. If the process ends before it, `message` is printed, and the exit code is 2. */
export async function guardExit<T>(message: string, work: () => Promise<T>): Promise<T> {
  const onExit = () => {
    if (isExplained) return
    process.stderr.write(`error: ${oneLine(message)}\n`)
    process.exitCode = 2
  }
  process.once('exit', onExit)
  try {
    return await work()
  } finally {
    process.off('exit', onExit)
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

/** Guards a real run. */
export const guardDrive = <T>(work: () => Promise<T>): Promise<T> =>
  guardExit('code of the graph ended the process; look for process.exit in it', work)

/** Guards the creation of a graph, which calls the functions that create its tools. */
export const guardBind = <T>(file: string, bind: () => T): Promise<T> =>
  guardExit(
    `'${basename(file)}': a function that creates a tool ended the process; look for process.exit in it`,
    async () => bind(),
  )
