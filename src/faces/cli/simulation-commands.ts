/** The commands of `escapement sim`. */
import type { Option } from 'commander'
import type { Action, Add } from './add-command.ts'

export function simulationCommands(on: Add, store: Option, action: Action): void {
  const load = () => import('./commands/simulate.ts')
  const one = 'run a scenario with one seed, as a thread that `show` prints'
  on('run <scenario>', one, 'sim run graphs/ring.scenario.yaml --seed 7', [store])
    .option('--seed <n>', 'random seed', '1')
    .option('--policy <name>', 'policy of the scenario (default: the first one)')
    .option('--thread <id>', 'name of the thread (default: SCENARIO-POLICY-SEED)')
    .action(action(async () => (await load()).simulateOne))
  const many = 'run a scenario with many seeds and all its policies, on all cores'
  on('monte <scenario>', many, 'sim monte graphs/ring.scenario.yaml --seeds 1000')
    .option('--seeds <n>', 'number of seeds, or FIRST-LAST (default: those of the scenario)')
    .option('--report <file>', 'write a report: .json')
    .option('--workers <n>', 'number of worker threads (default: one for each core)')
    .action(action(async () => (await load()).simulateMany))
  on('schema', 'print the JSON Schema of scenarios, for editors', 'sim schema').action(
    action(async () => (await load()).schema),
  )
}
