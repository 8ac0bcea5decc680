/** Loads and runs code of a user that must not end the process: the command would end with the exit code of that code, often 0. */
import { oneLine } from '../../core/watch/data/fault.ts'

/** Runs the work. If the process ends before it, `message` is printed, and the exit code is 2. */
export async function guardExit<T>(message: string, work: () => Promise<T>): Promise<T> {
  const onExit = () => {
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

/** The same for a simulated run, in which tools and nodes are code of the user. */
export const guardRun = <T>(work: () => Promise<T>): Promise<T> =>
  guardExit('the fake system or the graph ended the process; look for process.exit in them', work)
