/** The commands that move threads between versions of a graph and between stores, and that delete them. */
import type { Action, Add } from './add-command.ts'

export function moveCommands(on: Add, action: Action): void {
  const migrate = 'move waiting threads of earlier versions of a graph to this version'
  on('migrate [threads...]', migrate, 'migrate --all-stale --graph agent.ts#desk --dry-run')
    .requiredOption('--graph <file#name>', 'module that exports the graph, with its migrate')
    .option('--all-stale', 'all open threads of other versions')
    .option('--dry-run', 'print what would change, and store nothing')
    .action(action(async () => (await import('./commands/migrate.ts')).migrateThreads))
  const journal = 'print the journal of a thread, one JSON row a line'
  on('export <thread>', journal, 'export news --out news.escapement.gz')
    .option('--out <file>', 'write one file for `import` instead (NAME.escapement.gz)')
    .action(action(async () => (await import('./commands/copy.ts')).exportThread))
  const page = 'write a thread, or an archive, as one HTML page that replays it without a service'
  on('report <subject>', page, 'report news --out news.html')
    .requiredOption('--out <file>', 'the page to write (NAME.html)')
    .action(action(async () => (await import('./commands/report.ts')).report))
  const archive = 'import the threads of a file that `export --out` wrote'
  on('import <file>', archive, 'import news.escapement.gz --as copy')
    .option('--as <name>', 'name of the thread in this store')
    .action(action(async () => (await import('./commands/copy.ts')).importThread))
  const prune = 'delete threads that ended long ago, with their child threads'
  on('prune', prune, 'prune --keep 30d --yes')
    .requiredOption('--keep <duration>', 'keep threads with an event in this time, such as 30d')
    .option('--yes', 'delete them; without it, only print them')
    .action(action(async () => (await import('./commands/prune.ts')).prune))
}
