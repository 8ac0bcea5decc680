/** The table of the options of `createAgent` names each of them. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const textOf = (file: string) => readFileSync(new URL(`../${file}`, import.meta.url), 'utf8')

test('the options of createAgent are in the table of docs/embedding.md', () => {
  const source = textOf('src/host/definition/create-agent.ts')
  const policy = source.slice(source.indexOf('type Policy'), source.indexOf('/** The options of'))
  const own = source.slice(
    source.indexOf('interface AgentDefinition'),
    source.indexOf('type Input'),
  )
  const options = [
    ...[...policy.matchAll(/\| '(\w+)'/g)].map(([, name]) => name),
    ...[...own.matchAll(/readonly (\w+)/g)].map(([, name]) => name),
  ]
  expect(options).toContain('breaker')
  const page = textOf('docs/embedding.md')
  const [, section = ''] = page.split('\n## createAgent\n')
  const rows = (section.split('\n\n')[0] ?? '').split('\n').map(row => row.split(' | ')[0] ?? '')
  const named = rows.flatMap(row => [...row.matchAll(/`(\w+)`/g)].map(([, name]) => name))
  expect(options.filter(name => !named.includes(name))).toEqual([])
})
