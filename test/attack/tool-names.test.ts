/** A tool is a search by its name, whatever the case of its letters, its vendor and its server. */
import { expect, test } from 'vitest'
import { chance } from './chance.ts'
import { seenAt } from './loops.ts'

const WORDS = [
  ['lease', 'leasing'],
  ['renewal', 'renew', 'extension'],
  ['policy', 'rules', 'terms'],
  ['latest', 'current'],
  ['tenant', 'renter'],
  ['guide', 'details'],
]
const searched = (tool: string, answer: (query: string) => unknown) => {
  const { below } = chance(7)
  const query = () => {
    const words = WORDS.flatMap(each => (below(4) > 0 ? (each[below(each.length)] ?? []) : []))
    return (below(2) > 0 ? words : words.toReversed()).join(' ') || 'lease'
  }
  const lap = () => {
    const asked = query()
    return { tool, args: { query: asked }, result: answer(asked) }
  }
  return seenAt({ name: '', lap })?.lap
}

test.each([
  'search_docs',
  'search-docs',
  'searchDocs',
  'SearchDocs',
  'searchConfluenceUsingCql',
  'findUsers',
  'web_search',
  'webSearch',
  'webSearchExa',
  'lookUp',
  'mcp__wiki__searchPages',
  'wiki.search_pages',
])('the same search by %s in other words is seen', tool => {
  expect(searched(tool, query => ({ query, total: 0, hits: [] }))).toBeLessThanOrEqual(14)
  expect(searched(tool, query => `0 results for "${query}"`)).toBeLessThanOrEqual(14)
})
