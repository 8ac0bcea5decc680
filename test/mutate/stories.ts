/** A process that plays stories with a mutant: without a test runner, so hundreds of mutants take a minute. */
import { readdirSync, readFileSync } from 'node:fs'
import process from 'node:process'
import { switches } from './switch.ts'

export interface Play {
  /** Missing: plays all stories without a mutant, and records what they reach. */
  readonly mutant?: number
  readonly stories: readonly string[]
}

export interface Played {
  /** The story that differs with the mutant, and is as written without it. */
  readonly killedBy?: string
  readonly reached: Readonly<Record<string, readonly number[]>>
  /** Mutants that are evaluated while the sources load. */
  readonly loaded: readonly number[]
}

const folder = new URL('../stories/', import.meta.url)
switches.reached = new Set()
const { runStory } = await import('../story-runner/story.ts')
const loaded = [...switches.reached]
const unplayed = switches.active

process.on('message', async (play: Play) => process.send?.(await playAll(play)))
process.send?.('ready')

async function playAll({ mutant, stories }: Play): Promise<Played> {
  const reached: Record<string, readonly number[]> = {}
  for (const story of stories.length > 0 ? stories : readdirSync(folder)) {
    switches.active = mutant ?? unplayed
    switches.reached = new Set()
    const isAsWritten = await holds(story)
    reached[story] = [...switches.reached]
    switches.active = -1
    if (mutant === undefined && unplayed < 0) continue
    if (!isAsWritten && (unplayed >= 0 || (await holds(story))))
      return { killedBy: story, reached, loaded }
  }
  return { reached, loaded }
}

async function holds(story: string): Promise<boolean> {
  const written = readFileSync(new URL(story, folder), 'utf8')
  try {
    return (await runStory(written)) === written
  } catch {
    return false
  }
}
