/** DBOS Transact alone: a workflow of steps, whose results it stores. */
import { DBOS } from '@dbos-inc/dbos-sdk'
import { newDatabase } from '../../fixture/postgres.ts'
import { checkSteps, type Contestant, stepOf } from './contestant.ts'
import { bytesOfSchema } from './database.ts'

/** Launches DBOS on a new database. It is a singleton of the process. */
export async function dbos(
  server: string,
): Promise<Contestant & { readonly end: () => Promise<void> }> {
  const url = await newDatabase(server)
  const work = DBOS.registerWorkflow(
    async (steps: number, cost: number) => {
      const messages: string[] = []
      const agent = { steps, work: cost }
      while (messages.length < steps) {
        const nth = messages.length
        messages.push(await DBOS.runStep(async () => stepOf(agent, nth), { name: 'step' }))
      }
      return messages.length
    },
    { name: 'bench' },
  )
  DBOS.setConfig({ name: 'bench', systemDatabaseUrl: url, logLevel: 'error' })
  await DBOS.launch()
  return {
    name: 'DBOS',
    survives: 'a power failure',
    async run(agent) {
      const before = await bytesOfSchema(url, 'dbos')
      const workflow = await DBOS.startWorkflow(work)(agent.steps, agent.work)
      checkSteps(agent, await workflow.getResult())
      return { bytes: async () => (await bytesOfSchema(url, 'dbos')) - before }
    },
    end: () => DBOS.shutdown(),
  }
}
