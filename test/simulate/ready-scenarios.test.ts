/** The scenarios that ship: each loads, meets its faults, and ends well under the default policy. */
import { readdirSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { lint } from '../../src/core/graph/lint/lint.ts'
import { loadSpecs } from '../../src/host/drive/load.ts'
import { loadScenario } from '../../src/host/simulation/load-scenario.ts'
import { monteCarlo } from '../../src/simulate/monte/monte.ts'

const scenarios = [
  'graphs/ring.scenario.yaml',
  ...readdirSync('scenarios').flatMap(file =>
    file.endsWith('.scenario.yaml') ? [`scenarios/${file}`] : [],
  ),
]

test('eleven scenarios ship', () => {
  expect(scenarios).toHaveLength(11)
})

describe.each(scenarios)('%s', file => {
  test('no run of 20 is stuck, crashed or silently wrong, and the report is not vacuous', async () => {
    const { scenario, subjects } = await loadScenario(file)
    const report = await monteCarlo(scenario, subjects, { seeds: { from: 1, count: 20 } })
    const { stuck, crashed, silentlyWrong, escaped, faults } = report.policies.default ?? {}
    expect([stuck, crashed, silentlyWrong].map(rate => rate?.count)).toEqual([0, 0, 0])
    expect(escaped?.rate).toBeGreaterThanOrEqual(0.95)
    expect(faults).toBeGreaterThan(0)
    expect(report.vacuous).toEqual([])
    expect(report.nondeterministic).toEqual([])
    expect(
      report.gates.filter(({ gate, holds }) => /^(always|never|eventually)/.test(gate) && !holds),
    ).toEqual([])
  })
})

test.each(['shop', 'quote', 'pair', 'manager'])('scenarios/%s.yaml passes lint', async name => {
  const loaded = await loadSpecs(`scenarios/${name}.yaml`)
  const findings = lint(loaded.spec, loaded)
  expect(findings.filter(({ severity, accepted }) => severity === 'error' && !accepted)).toEqual([])
})
