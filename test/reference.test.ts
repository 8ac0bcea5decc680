/** docs/spec.md matches the schema, and the schema describes every key. */
import { readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import { specJsonSchema } from '../src/core/graph/spec/spec.ts'
import { EXAMPLES } from './reference/examples.ts'
import { page } from './reference/page.ts'
import { rowsOf } from './reference/rows.ts'
import { definitions } from './reference/schema.ts'
import { SECTIONS, VALUES } from './reference/sections.ts'

const file = resolve(import.meta.dirname, '../docs/spec.md')
const all = [...definitions().keys()]

describe('docs/spec.md', () => {
  test('matches the schema', () => {
    if (process.env.REWRITE) writeFileSync(file, page())
    expect(readFileSync(file, 'utf8')).toBe(page())
  })

  test('lists every definition', () => {
    const listed = new Set([...SECTIONS.map(({ definition }) => definition), ...VALUES])
    expect(all.filter(name => !listed.has(name))).toEqual([])
    expect([...listed].filter(name => !all.includes(name))).toEqual([])
  })

  test('has a section for every example', () => {
    expect(
      Object.keys(EXAMPLES).filter(title => !SECTIONS.some(section => section.title === title)),
    ).toEqual([])
  })
})

describe('the schema', () => {
  test('describes every key and every definition', () => {
    const keys = all.flatMap(name =>
      rowsOf(name, each => each).map(({ key, meaning }) => [`${name}.${key}`, meaning] as const),
    )
    const undescribed = [
      ...keys,
      ...[...definitions()].map(([name, { description = '' }]) => [name, description] as const),
    ].filter(([, text]) => text === '')
    expect(undescribed.map(([path]) => path)).toEqual([])
    expect(keys.length).toBeGreaterThan(100)
  })

  test.each(['templates/yaml/agent.yaml', 'graphs/agent.yaml', 'graphs/ring.yaml'])(
    'accepts %s in an editor, and refuses a misspelled key',
    path => {
      const schema = z.fromJSONSchema(specJsonSchema() as never)
      const text = readFileSync(resolve(import.meta.dirname, '..', path), 'utf8')
      const value = parse(text) as object
      expect(schema.safeParse(value).error).toBeUndefined()
      expect(schema.safeParse({ ...value, limit: {} }).success).toBe(false)
    },
  )

  test('names definitions that several places use', () => {
    expect(all).toEqual(
      expect.arrayContaining(['duration', 'retry', 'breaker', 'tunings', 'on', 'in', 'out']),
    )
  })
})
