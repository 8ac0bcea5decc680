/**
 * `npm run bench [-- --json] [-- --write] [-- name …]`: all figures, or those of the named groups, and the profile of a step.
 * `--write` writes what was measured to `docs/performance.md`. A failed target is reported; it does not fail the bench.
 */
import { readPart, writePart } from '../written-part.ts'
import { digesting } from './digest.ts'
import type { Figure, Group } from './figure.ts'
import { gateContended } from './gate.ts'
import { hosting, writeHosts } from './hosts/group.ts'
import { inspecting } from './inspector.ts'
import { judging } from './judge.ts'
import { simulating } from './lab.ts'
import { load } from './load.ts'
import { mapping } from './map.ts'
import { figuresText, mergedFigures, PARTS, profileText } from './page.ts'
import { stepProfile } from './profile.ts'
import { rollback } from './rollback.ts'
import { starting } from './start.ts'
import { stepGrowth } from './step-growth.ts'
import { stepMemory } from './step-memory.ts'
import { stepSqlite } from './step-sqlite.ts'
import { storage } from './storage.ts'
import { manyThreads } from './threads.ts'
import { heading, line } from './table.ts'

const GROUPS: Readonly<Record<string, Group>> = {
  'step.memory': stepMemory,
  'step.sqlite': stepSqlite,
  'step.growth': stepGrowth,
  storage,
  judge: judging,
  'gate.contended': gateContended,
  digest: digesting,
  load,
  rollback,
  lab: simulating,
  map: mapping,
  threads: manyThreads,
  cli: starting,
  page: inspecting,
  hosts: hosting,
}

const args = process.argv.slice(2)
const [json, write] = [args.includes('--json'), args.includes('--write')]
const names = args.filter(arg => arg !== '--json' && arg !== '--write')
const unknown = names.find(name => !(name in GROUPS))
if (unknown !== undefined) {
  process.stderr.write(
    `unknown group '${unknown}'; expected one of: ${Object.keys(GROUPS).join(', ')}\n`,
  )
  process.exit(2)
}

const figures: Figure[] = []
if (!json) process.stdout.write(heading())
for (const [name, group] of Object.entries(GROUPS)) {
  if (names.length > 0 && !names.includes(name)) continue
  for (const each of await group()) {
    figures.push(each)
    process.stdout.write(json ? `${JSON.stringify(each)}\n` : line(each))
  }
}
const shares = names.length === 0 ? await stepProfile() : []
if (!json) process.stdout.write(shares.length > 0 ? `\n${profileText(shares)}` : '')
if (write) {
  const isAll = names.length === 0
  const text = isAll ? figuresText(figures) : mergedFigures(readPart(PARTS.figures), figures)
  writePart(PARTS.figures, text)
  if (isAll) writePart(PARTS.profile, profileText(shares))
  writeHosts()
}
const judged = figures.filter(({ met }) => met !== null)
if (!json)
  process.stdout.write(
    `\n${judged.filter(({ met }) => met).length} of ${judged.length} targets met\n`,
  )
