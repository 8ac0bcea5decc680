/** The retry ledger: how often each dependency of a thread was tried, and by whom. */
import type { LedgerLine } from '../../../core/watch/retries.ts'
import { countText } from './amounts.ts'
import type { Block } from './layout.ts'
import { section } from './report.ts'

/** One line for each tool and model that was tried more than once. */
export function retriesBlocks(ledger: readonly LedgerLine[]): readonly Block[] {
  const retried = ledger.filter(({ calls, attempts, model }) => attempts > calls || model > 0)
  return section(
    'retries',
    retried.map(({ dependency, calls, attempts, sdk, runtime, model }) => {
      const by = { 'its SDK': sdk, 'the runtime': runtime, 'the model': model }
      const again = Object.entries(by).flatMap(([who, times]) =>
        times > 0 ? [`${times} by ${who}`] : [],
      )
      return [
        `${dependency} ${countText(attempts, 'attempt')}, ${countText(calls, 'call')}; retried ${again.join(', ')}`,
      ]
    }),
  )
}
