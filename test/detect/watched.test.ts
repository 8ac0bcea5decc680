/** Loops that one idea of a detector finds, each with a healthy agent that it leaves alone. */
import { describe, expect, test } from 'vitest'
import type { Act } from '../../src/core/watch/trace-watcher.ts'
import { firstFlag } from './recorded.ts'

const call = (tool: string, args: Record<string, string>): Act => ({ act: 'called', tool, args })
const answer = (text: string, ok: boolean | null = true): Act => ({ act: 'answered', ok, text })

/** Each turn is a call and its answer. Returns the number of the first turn with a finding. */
function turnOf(turns: readonly (readonly Act[])[]): number | undefined {
  const flag = firstFlag(turns.flat())
  if (flag === undefined) return undefined
  return turns.findIndex((_, nth) => turns.slice(0, nth + 1).flat().length > flag) + 1
}

describe('a search that finds nothing', () => {
  const search = (query: string, similar: string): readonly Act[] => [
    call('search', { query }),
    answer(`Could not find [${query}]. Similar: ${similar}`, false),
  ]

  test('has the same outcome, whatever it suggests instead', () => {
    const again = ['Lake Orta', 'Lake Garda, Garda', 'Pella'].map(similar =>
      search('"Orta San Giulio"', similar),
    )
    expect(turnOf(again)).toBe(3)
  })

  test('is repeated by a search with more words', () => {
    expect(
      turnOf([
        search('bridge of the old mill', 'Bridge'),
        search('bridge of the old mill in town', 'Mill, Bridge'),
        search('stone bridge of the old mill', 'Stone'),
        search('stone bridge of the old mill built before', 'Stone, Bridge'),
      ]),
    ).toBe(4)
  })

  test('is not repeated by searches for other names', () => {
    const names = ['Anselm Roth', 'Berta Lang', 'Carlo Conti', 'Dora Weiss', 'Emil Haas']
    expect(turnOf(names.map(name => search(name, `the family of ${name}`)))).toBeUndefined()
  })

  test('is not repeated by the same search in other folders', () => {
    const folders = ['docs', 'notes', 'scripts', 'assets', 'vendor']
    expect(turnOf(folders.map(folder => search(`"Pool" ${folder}`, 'nothing')))).toBeUndefined()
  })
})
