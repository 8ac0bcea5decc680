/** A worker thread of the lab: loads the scenario once, and runs the trials that it receives, several at a time. */
import { parentPort, workerData } from 'node:worker_threads'
import { factsOf } from '../../core/watch/failure/failure.ts'
import type { Cell } from '../../simulate/scenario/vary.ts'
import { runTrial, type Trial } from '../../simulate/monte/monte.ts'
import { loadScenario } from './load-scenario.ts'
import type { FromWorker, ToWorker } from './pool.ts'

const { file, cell } = workerData as { readonly file: string; readonly cell?: Cell }

// A simulated failure needs no stack, and each one costs as much as a step.
Error.stackTraceLimit = 0

const loading = loadScenario(file, cell)

async function run(id: number, trial: Trial): Promise<void> {
  try {
    const { subjects } = await loading
    send({ id, run: await runTrial(subjects, trial) })
  } catch (error) {
    const { name, message } = factsOf(error)
    send({ id, error: { name, message } })
  }
}

const send = (message: FromWorker): void => parentPort?.postMessage(message)

parentPort?.on('message', ({ trials }: ToWorker) => {
  for (const [id, trial] of trials) void run(id, trial)
})
