/** The notifiers a spec asks for. Part of the composition root. */
import { logNotifier } from './adapters/notify/log.ts'
import { webhook } from './adapters/notify/webhook.ts'
import type { NotifierSpec } from './core/graph/spec/notify.ts'
import type { Notifier } from './runtime/ports.ts'

export interface NotifierParts {
  readonly environment: Readonly<Record<string, string | undefined>>
  /** Where `log` writes. */
  readonly say: (line: string) => void
}

/** A webhook without its secret: nobody could believe what it says. */
export class NoSecret extends Error {
  override readonly name = 'NoSecret'
}

/** @throws NoSecret */
export function notifiersOf(specs: readonly NotifierSpec[], { environment, say }: NotifierParts): readonly Notifier[] {
  const hosts = new Map<string, number>()
  return specs.map((spec, index) => {
    if (spec === 'log') return logNotifier(say)
    const secret = environment[spec.secretFrom]
    if (!secret) throw new NoSecret(`notify[${index}].secretFrom: the environment has no ${spec.secretFrom}, the secret by which notices are signed`)
    const { host } = new URL(spec.webhook)
    const nth = (hosts.get(host) ?? 0) + 1
    hosts.set(host, nth)
    // The path may be a secret itself, and does not stand in the journal.
    return webhook({ name: `webhook ${host}${nth > 1 ? ` ${nth}` : ''}`, spec, secret })
  })
}
