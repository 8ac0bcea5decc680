/** The notifiers that a spec declares. */
import { defined } from '../core/watch/data/json.ts'
import { codedError, guardOf } from '../core/watch/data/fault.ts'
import { logNotifier } from '../adapters/notify/log.ts'
import { webhook } from '../adapters/notify/webhook.ts'
import type { NotifierSpec } from '../core/graph/spec/resource.ts'
import { useSecret } from '../runtime/redact.ts'
import type { Graph, Notifier } from '../runtime/ports.ts'

type Environment = Readonly<Record<string, string | undefined>>

interface NotifierParts {
  readonly environment: Environment
  /** Receives the lines of `log`. */
  readonly say: (line: string) => void
  /** The command that prints a thread. */
  readonly show?: (thread: string) => string
}

/** A webhook without its secret: its receiver could not verify the notices. */
export class NoSecret extends codedError('NoSecret', 'no-secret') {}

/** Whether an error is a `NoSecret`. */
export const isNoSecret = guardOf(NoSecret)

/** Checks the secrets before a thread starts. @throws NoSecret */
export function checkSecrets(specs: readonly NotifierSpec[], environment: Environment): void {
  for (const [index, spec] of specs.entries())
    if (spec !== 'log' && !environment[spec.secretFrom])
      throw new NoSecret(
        `notify[${index}].secretFrom: the environment has no ${spec.secretFrom}, the secret that signs the notices`,
      )
}

/** The usable notifiers. A process without the secret of a webhook skips it and leaves its notices to other processes. */
export function notifiersOf(specs: readonly NotifierSpec[], parts: NotifierParts): Notifier[] {
  const { environment, say, show } = parts
  const hosts = new Map<string, number>()
  return specs.flatMap(spec => {
    if (spec === 'log') return [logNotifier(say, show)]
    const { host } = new URL(spec.webhook)
    const nth = (hosts.get(host) ?? 0) + 1
    hosts.set(host, nth)
    const secret = useSecret(environment[spec.secretFrom])
    // The name omits the path, which may contain a secret, because the journal stores the name.
    const name = `webhook ${host}${nth > 1 ? ` ${nth}` : ''}`
    return secret ? [webhook({ name, spec, secret })] : []
  })
}

/** The notifiers of a graph in this process. */
export function notifiersIn(
  { source }: Graph,
  say: NotifierParts['say'] = line => void process.stderr.write(line),
  show?: NotifierParts['show'],
): readonly Notifier[] {
  type Source = { readonly spec?: Source; readonly notify?: readonly NotifierSpec[] }
  const { notify = [] } = (source as Source).spec ?? (source as Source)
  return notifiersOf(notify, { environment: process.env, say, ...defined({ show }) })
}
