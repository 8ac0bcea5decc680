/** Copied beside the mutated sources: the switches of the mutants. One mutant is on in a process, or none. */
import { appendFileSync } from 'node:fs'
import process from 'node:process'

/** A process without child processes may set these. */
export const switches = {
  active: Number(process.env.MUTANT ?? -1),
  reached: undefined as Set<number> | undefined,
}
const hits = process.env.MUTANT_HITS
const seen = new Set<string>()

/** Whether this mutant is on. Records which test reaches it. */
export function mutated(id: number): boolean {
  if (hits !== undefined) record(hits, id)
  switches.reached?.add(id)
  return id === switches.active
}

function record(path: string, id: number): void {
  const line = `${id} ${process.env.MUTANT_TEST ?? ''}\n`
  if (seen.has(line)) return
  seen.add(line)
  appendFileSync(path, line)
}
