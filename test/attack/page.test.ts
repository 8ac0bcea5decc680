/** docs/reliability.md is current: its loops are those of today, and its figures cover every target and every way to die. */
import { describe, expect, test } from 'vitest'
import { TARGETS } from './inputs/targets.ts'
import { COMMANDS } from './kills/commands.ts'
import { readPart, writePart } from '../written-part.ts'
import { PARTS } from './page.ts'
import { KILLED, loopsText } from './report.ts'

const numberIn = (text: string, pattern: RegExp) =>
  Number(pattern.exec(text)?.[1]?.replaceAll(',', '') ?? 0)

describe('docs/reliability.md', () => {
  test('has the loops of today', async () => {
    const text = await loopsText()
    if (process.env.REWRITE) writePart(PARTS.loops, text)
    else expect(readPart(PARTS.loops)).toBe(text)
  }, 180_000)

  test('has at least 1,000 kills, of every kind and of every command', () => {
    const kills = readPart(PARTS.kills)
    for (const kind of Object.values(KILLED)) expect(kills).toContain(`| ${kind} |`)
    for (const command of Object.keys(COMMANDS))
      expect(kills).toContain(`\`escapement ${command}\``)
    for (const unit of ['run', 'fork', 'policy', 'import', 'export'])
      expect(kills).toMatch(` × ${unit}`)
    expect(numberIn(kills, /\| all \| ([\d,]+) \|/)).toBeGreaterThanOrEqual(1_000)
  })

  test('has at least a million inputs, of every target', () => {
    const inputs = readPart(PARTS.inputs)
    for (const { name } of TARGETS) expect(inputs).toContain(`| ${name} |`)
    expect(numberIn(inputs, /^([\d,]+) inputs reached/m)).toBeGreaterThanOrEqual(1_000_000)
  })
})
