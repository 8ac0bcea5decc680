/** The command that shows which ways out helped. */
import { type Efficacy, efficacyIn } from '../../../host/efficacy.ts'
import type { Rate } from '../../../simulate/statistics/interval.ts'
import { type App, EXIT, printResult } from '../app/app.ts'
import { dim, type Text } from '../print/layout.ts'
import { type StoreOptions, withStore } from './thread.ts'

interface EfficacyCommand extends StoreOptions {
  readonly graph?: string
}

export async function efficacy(app: App, options: EfficacyCommand): Promise<number> {
  const found = await withStore(options, store => efficacyIn(store, options))
  printResult(app, options, found, () => [
    ...(found.efficacy.length > 0
      ? [{ rows: [HEAD, ...found.efficacy.map(cellsOf)] }, dim(CAUTION)]
      : [`${found.threads} ended threads, and none has taken a rung`]),
  ])
  return EXIT.goal
}

const HEAD: readonly Text[] = [
  ...['tool or loop', 'problem', 'rung', 'goal with it', 'goal without it', 'effect'],
]

const CAUTION =
  'Threads did not choose their rungs by chance: `ablate` of a scenario tests an effect.'

const cellsOf = ({
  subject,
  problem,
  rung,
  used,
  unused,
  difference,
}: Efficacy): readonly Text[] => [
  subject,
  problem,
  rung,
  rateText(used),
  rateText(unused),
  effectOf(unused, difference),
]

const percent = (rate: number): string => (rate * 100).toFixed(0)

const rateText = ({ count, of, low, high }: Rate): string =>
  of === 0 ? '–' : `${count} of ${of} [${percent(low)}, ${percent(high)} %]`

function effectOf({ of }: Rate, { difference, low, high }: Efficacy['difference']): string {
  if (of === 0) return 'nothing to compare'
  const points = `${difference > 0 ? '+' : ''}${percent(difference)} points [${percent(low)}, ${percent(high)}]`
  if (low > 0) return `raised: ${points}`
  return high < 0 ? `lowered: ${points}` : `unclear: ${points}`
}
