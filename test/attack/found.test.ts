/** Faults that the attack by inputs has found, each by its smallest input. */
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { withSettings } from '../../src/adapters/spec/load-spec.ts'
import { tool } from '../../src/kit/tool.ts'

describe('a message', () => {
  test('about arguments with many faults names twenty of them', () => {
    const { parse } = tool({
      description: 'reads',
      effects: 'read',
      inputSchema: z.object({ tags: z.array(z.string()) }),
      execute: () => null,
    })
    const act = () => parse({ tags: Array.from({ length: 500 }, () => 1) })
    expect(act).toThrow(/tags\[19\]: .*; and 480 more$/)
  })

  test('about a setting that is nested too deep says so', () => {
    const deep = `limits=${'['.repeat(5_000)}${']'.repeat(5_000)}`
    expect(() => withSettings({}, [deep])).toThrow(/^--set limits=\[+…: YAML: is nested too deep$/)
  })
})
