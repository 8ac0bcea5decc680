/** The results of explorations, and of shrunk runs. */
import type { TapeEntry } from '../../../simulate/inject/call.ts'
import type { Exploration } from '../../../simulate/search/explore.ts'
import type { Shrunk } from '../../../simulate/search/shrink.ts'
import { type Block, type Blocks, bold, countText, dim, styled, type Text } from './layout.ts'

export function explorationBlocks(found: Exploration, seconds: number): Blocks {
  const { faults, calls, effects, runs, pruned, outcomes, failures } = found
  const covered = `all tapes with at most ${countText(faults, 'fault')} among the first ${countText(calls, 'call')}, with the effects ${effects.join(', ')}`
  return [
    failures.length > 0
      ? [styled('✗ ', 'red'), bold(countText(failures.length, 'failure')), ` in ${covered}`]
      : [styled('✓ ', 'green'), bold('verified '), covered],
    dim(
      `${countText(runs, 'run')} in ${seconds.toFixed(1)} s, ${pruned} pruned: ${Object.entries(
        outcomes,
      )
        .map(([outcome, count]) => `${outcome} ${count}`)
        .join(', ')}`,
    ),
    ...failures.flatMap(
      ({ fingerprint, because, tape, times }): Blocks => [
        [styled(fingerprint, 'red'), dim(`  ${countText(times, 'tape')}`)],
        `  ${because}`,
        tapeTable(tape),
      ],
    ),
  ]
}

const tapeTable = (tape: readonly TapeEntry[]): Block => ({
  rows: tape.map(({ target, index, effect }): readonly Text[] => [
    `  ${target} call ${index}`,
    dim(JSON.stringify(effect)),
  ]),
})

export function shrunkBlocks(shrunk: Shrunk, token: string, files: readonly string[]): Blocks {
  const { fingerprint, because, before, faults, tape, runs } = shrunk
  return [
    [bold(fingerprint), dim(`  ${because}`)],
    `${countText(before.faults, 'fault')} with ${countText(before.tape, 'occurrence')} → ${countText(faults.length, 'fault')} with ${countText(tape.length, 'occurrence')}, in ${countText(runs, 'run')}`,
    {
      rows: faults.map(({ id, on, how, what }): readonly Text[] => [
        id,
        on,
        dim(JSON.stringify(how)),
        dim(JSON.stringify(what)),
      ]),
    },
    ...files.map((file): Text => ['wrote ', bold(file)]),
    ['token ', token],
  ]
}
