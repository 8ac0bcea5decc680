/**
 * A story is a text that can be read and run: a comment that says what it shows, blocks of YAML (`graph:`, `world:`), commands,
 * and after each `----` what came of them, up to the next empty line.
 */
import { parse } from 'yaml'
import { coreRunner } from './core-runner.ts'
import { type Drive, threadRunner } from './thread-runner.ts'

/** Runs the commands of a story, and prints at each `----` the results since the last one. */
export interface Runner {
  run(command: string): Promise<void> | void
  output(): Promise<readonly string[]> | readonly string[]
}

export interface Blocks {
  /** A graph spec; `escapement`, `id` and `start` (the first node) may be left out. */
  readonly graph?: Readonly<Record<string, unknown>>
  /** The name of a statechart in machines.ts. */
  readonly machine?: string
  /** What tools, models and nodes do: with it the story is driven by the runtime, without it events go straight into `advance`. */
  readonly world?: Readonly<Record<string, unknown>>
}

const BLOCK = /^(graph|world|machine):/
const END = '----'

/** The story with its answers rewritten. */
export async function runStory(story: string): Promise<string> {
  const { blocks } = opened(story)
  return runWith(blocks.world ? threadRunner(blocks) : coreRunner(blocks), story)
}

/** A story that another host drives, with the journals of its threads. */
export async function runDriven(story: string, drive: Drive) {
  const runner = threadRunner(opened(story).blocks, drive)
  const text = await runWith(runner, story)
  return { text, journals: await runner.journals() }
}

async function runWith(runner: Runner, story: string): Promise<string> {
  const { lines } = opened(story)
  const written: string[] = []
  let answering = false
  for (const { text, command } of lines) {
    if (text === END) {
      written.push(text, ...(await runner.output()))
      answering = true
    } else if (!answering || text === '') {
      answering = false
      written.push(text)
      if (command) await runner.run(text)
    }
  }
  return written.join('\n')
}

/** Separates commands from the lines of blocks, comments and empty lines. */
function opened(story: string): { blocks: Blocks; lines: { text: string; command: boolean }[] } {
  const yaml: string[] = []
  let inside = false
  const lines = story.split('\n').map(text => {
    inside = BLOCK.test(text) || (inside && (text === '' || text.startsWith(' ')))
    if (inside) yaml.push(text)
    return { text, command: !inside && text !== '' && text !== END && !text.startsWith('#') }
  })
  return { blocks: (parse(yaml.join('\n')) ?? {}) as Blocks, lines }
}
