/** The retry ledger: how often what a thread depends on was really tried, and by whom. */
import type { LedgerLine } from '../../../core/watch/failure/retries.ts'

/** One line for each tool and model; nothing, where nothing was tried twice. */
export function retriesText(ledger: readonly LedgerLine[]): readonly string[] {
  const again = ledger.filter(({ calls, attempts, model }) => attempts > calls || model > 0)
  return again.map(
    ({ dependency, calls, attempts, sdk, runtime, model }) =>
      `  retries: ${dependency} ${attempts} attempts in ${calls} calls; again ${sdk} by its SDK, ${runtime} by the runtime, ${model} by the model`,
  )
}
