/** The scopes of a store: what their threads have spent and met together, and letting one go. */
import { releaseScope } from '../../../core/watch/budget/scope.ts'
import { standingsOf } from '../../../core/watch/budget/scope-standing.ts'
import type { ScopeKey } from '../../../runtime/store/store.ts'
import { type App, UsageError, EXIT } from '../app/app.ts'
import { scopesTable } from '../print/tables.ts'
import { type StoreOption, withStore } from './thread.ts'

export interface ScopesOptions extends StoreOption {
  readonly json?: boolean
  /** `SCOPE=KEY` */
  readonly release?: string
}

export async function scopes(app: App, options: ScopesOptions): Promise<number> {
  const of = options.release === undefined ? undefined : scopeKey('--release', options.release)
  return withStore(options, async store => {
    const before = standingsOf(await store.shares(), Date.now())
    if (of) {
      if (!before.some(({ scope, key }) => scope === of.scope && key === of.key))
        throw new UsageError(
          `unknown scope '${of.scope}=${of.key}'; known scopes: ${before.map(({ scope, key }) => `${scope}=${key}`).join(', ') || '(none)'}`,
        )
      await store.changeShares(of, releaseScope)
    }
    const standings = of ? standingsOf(await store.shares(), Date.now()) : before
    if (options.json) app.out(`${JSON.stringify(standings)}\n`)
    else app.print(scopesTable(standings))
    return EXIT.goal
  })
}

/** @throws UsageError */
export function scopeKey(option: string, text: string): ScopeKey {
  const [, scope, key] = /^([^=]+)=(.+)$/s.exec(text) ?? []
  if (scope === undefined || key === undefined)
    throw new UsageError(`${option} '${text}': expected SCOPE=KEY`)
  return { scope, key }
}
