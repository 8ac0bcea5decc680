/** The notifiers a spec asks for. */
import { logNotifier } from '../adapters/notify/log.ts'
import { webhook } from '../adapters/notify/webhook.ts'
import type { NotifierSpec } from '../core/graph/spec/resource.ts'
import type { Json } from '../core/watch/data/json.ts'
import type { Graph, Notifier } from '../runtime/ports.ts'

type Environment = Readonly<Record<string, string | undefined>>

export interface NotifierParts {
  readonly environment: Environment
  /** Where `log` writes. */
  readonly say: (line: string) => void
}

/** A webhook without its secret: nobody could believe what it says. */
export class NoSecret extends Error {
  override readonly name = 'NoSecret'
  readonly code = 'no-secret'
}

/** Whether an error is a `NoSecret`. */
export function isNoSecret(error: unknown): error is NoSecret {
  return error instanceof NoSecret
}

/** For a thread that is about to begin. @throws NoSecret */
export function checkSecrets(specs: readonly NotifierSpec[], environment: Environment): void {
  for (const [index, spec] of specs.entries())
    if (spec !== 'log' && !environment[spec.secretFrom])
      throw new NoSecret(
        `notify[${index}].secretFrom: the environment has no ${spec.secretFrom}, the secret by which notices are signed`,
      )
}

/** Those that can be used here: who only answers or cancels needs no secrets, and leaves the telling to a process that has them. */
export function notifiersOf(
  specs: readonly NotifierSpec[],
  { environment, say }: NotifierParts,
): readonly Notifier[] {
  const hosts = new Map<string, number>()
  return specs.flatMap(spec => {
    if (spec === 'log') return [logNotifier(say)]
    const { host } = new URL(spec.webhook)
    const nth = (hosts.get(host) ?? 0) + 1
    hosts.set(host, nth)
    const secret = environment[spec.secretFrom]
    // The path may be a secret itself, and does not stand in the journal.
    return secret
      ? [webhook({ name: `webhook ${host}${nth > 1 ? ` ${nth}` : ''}`, spec, secret })]
      : []
  })
}

/** The notifiers that the spec of a graph names, in this process. */
export function notifiersIn(
  { source }: Graph,
  say: NotifierParts['say'] = line => void process.stderr.write(line),
): readonly Notifier[] {
  const { spec = source } = source as { readonly spec?: Json }
  const { notify = [] } = spec as { readonly notify?: readonly NotifierSpec[] }
  return notifiersOf(notify, { environment: process.env, say })
}
