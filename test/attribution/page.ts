/** The measured part of the section on attribution. */
import type { Rate } from '../../src/simulate/statistics/interval.ts'
import type { WrittenPart } from '../written-part.ts'
import { attributeEvents } from '../../src/core/watch/attribution/attribute.ts'
import { AGENTS, healthyJournals, INJECTED, injectedJournals } from './corpus.ts'
import { accuracyOf, judge, type Judged } from './measure.ts'

export const MEASURED: WrittenPart = {
  page: 'simulation.md',
  name: 'attribution',
  by: 'REWRITE=1 npm run attribution',
}

/** Seeds that were not used to write the rules. */
const SEEDS = Array.from({ length: 5 }, (_, index) => 101 + index)

export async function measured(): Promise<{
  readonly text: string
  readonly all: readonly Judged[]
}> {
  const all = (await injectedJournals(SEEDS)).map(judge)
  const healthy = await healthyJournals(SEEDS)
  const blamed = healthy.filter(rows => attributeEvents(rows.map(({ event }) => event)))
  return { all, text: textOf(all, `${blamed.length} of ${healthy.length}`) }
}

function textOf(all: readonly Judged[], blamed: string): string {
  const row = (name: string, of: readonly Judged[]) => {
    const { kind, step } = accuracyOf(of)
    const gated = accuracyOf(of.filter(({ isGated }) => isGated))
    return `| ${name} | ${of.length} | ${rateText(kind)} | ${rateText(step)} | ${rateText(gated.kind)} |`
  }
  const kinds = Object.keys(INJECTED)
  return [
    `${all.length.toLocaleString('en-US')} journals of ${AGENTS.length} agents with one injected fault each, ${SEEDS.length} seeds, percent with 95 % Wilson intervals. **Scripted models and simulated faults: not comparable with figures of live models.**`,
    '',
    '| kind | journals | kind named | step named, within one call | kind named, agents with a gate |',
    '|---|---|---|---|---|',
    ...kinds.map(kind =>
      row(
        `\`${kind}\``,
        all.filter(of => of.kind === kind),
      ),
    ),
    row('all', all),
    '',
    `In journals without a fault, a fault is named in ${blamed}.`,
  ].join('\n')
}

const rateText = ({ of, rate, low, high }: Rate): string =>
  of === 0 ? '–' : `${percent(rate)} [${percent(low)}, ${percent(high)}]`

const percent = (value: number): string => (100 * value).toFixed(0)
