/** The commands of `escapement sim`. */
import { Option } from 'commander'
import type { Action, Add } from './add-command.ts'

export function simulationCommands(on: Add, store: Option, action: Action): void {
  const load = () => import('./commands/simulate.ts')
  const one = 'run a scenario with one seed, as a thread that `show` prints'
  on('run <scenario>', one, 'sim run graphs/ring.scenario.yaml --seed 7', [store])
    .option('--seed <n>', 'random seed (default: 1)')
    .option('--policy <name>', 'policy of the scenario (default: the first one)')
    .option('--thread <id>', 'name of the thread (default: SCENARIO-POLICY-SEED)')
    .action(action(async () => (await load()).simulateOne))
  const many = 'run a scenario with many seeds and all its policies, on all cores'
  on('monte <scenario>', many, 'sim monte graphs/ring.scenario.yaml --seeds 1000', [store])
    .option('--seeds <n>', 'number of seeds, or FIRST-LAST (default: those of the scenario)')
    .option(
      '--report <file>',
      'write a report: .html, .json, .md, or .xml (JUnit); may be repeated',
      (file: string, before: readonly string[]) => [...before, file],
      [],
    )
    .option(
      '--inspector <url>',
      'store the runs that the report lists, and link them to this inspector',
    )
    .option('--workers <n>', 'number of worker threads (default: one for each core)')
    .action(action(async () => (await load()).simulateMany))
  const search = () => import('./commands/simulate-search.ts')
  const all = 'run every tape with at most k faults among the first m calls'
  on('explore <scenario>', all, 'sim explore graphs/ring.scenario.yaml --faults 2 --calls 12')
    .option('--faults <k>', 'most faults in one run', '1')
    .option('--calls <m>', 'number of first calls of tools and models', '12')
    .option('--seed <n>', 'random seed (default: 1)')
    .option('--policy <name>', 'policy of the scenario (default: the first one)')
    .option('--workers <n>', 'number of worker threads (default: one for each core)')
    .action(action(async () => (await search()).exploreTapes))
  const least = 'find the smallest run that fails like the run of a seed'
  on('shrink <scenario>', least, 'sim shrink graphs/ring.scenario.yaml --policy naive --seed 3')
    .option('--seed <n>', 'random seed (default: 1)')
    .option('--policy <name>', 'policy of the scenario (default: the first one)')
    .option('--out <folder>', 'where to write a scenario and a test (default: beside the scenario)')
    .action(action(async () => (await search()).shrinkRun))
  const recorded = 'run a stored thread again from its journal, with the faults of a scenario'
  on('replay <thread>', recorded, 'sim replay news --scenario storm.scenario.yaml', [store])
    .option('--scenario <file>', 'faults, conditions and people (default: none)')
    .addOption(
      new Option('--on-miss <what>', 'calls that are not recorded: fail, or answer from scripts')
        .choices(['fail', 'scripted'])
        .default('fail'),
    )
    .action(action(async () => (await import('./commands/simulate-replay.ts')).replayStored))
  const between = 'inject faults between any agent, its model and its MCP tools, in real time'
  on('proxy <scenario> [command...]', between, PROXY)
    .option('--model <url>', 'base URL of an OpenAI-compatible endpoint, served at /v1')
    .option('--mcp <url>', 'URL of an MCP server, served at /mcp')
    .option('--port <n>', 'port on 127.0.0.1; 0: any free port', '4200')
    .option('--seed <n>', 'random seed (default: 1)')
    .option('--tape <file>', 'also write what was injected to this file, as lines of JSON')
    .action(action(async () => (await import('./commands/simulate-proxy.ts')).proxy))
  on('schema', 'print the JSON Schema of scenarios, for editors', 'sim schema').action(
    action(async () => (await load()).schema),
  )
}

const PROXY = `sim proxy storm.scenario.yaml --model http://127.0.0.1:8080/v1
  escapement sim proxy storm.scenario.yaml -- node mcp-server.js`
