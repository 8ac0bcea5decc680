/** The command `escapement watch`. */
import { Option } from 'commander'
import type { Action, Add } from './add-command.ts'
import { TRACE_FORMATS } from './app/app.ts'

export function watchCommand(on: Add, action: Action): void {
  const loops = 'find loops in recorded traces of any agent'
  on('watch <file...>', loops, 'watch history.jsonl --format openai')
    .addOption(new Option('--format <format>', 'format (default: detected)').choices(TRACE_FORMATS))
    .option('--policy <file>', 'policy overrides, in spec notation')
    .option('--out <file>', 'write a line of JSON for each trace: id, flags, nanoseconds')
    .option('--attribute', 'name the fault that began the trouble: its kind and its call')
    .option('--compare <files...>', 'compare two policies: what each stops, saves and disturbs')
    .action(action(async () => (await import('./commands/watch.ts')).watch))
}
