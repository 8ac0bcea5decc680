/** The notifiers that a spec declares. */
import { codedError, guardOf } from '../core/watch/data/fault.ts'
import { logNotifier } from '../adapters/notify/log.ts'
import { webhook } from '../adapters/notify/webhook.ts'
import type { NotifierSpec } from '../core/graph/spec/resource.ts'
import { useSecret } from '../runtime/redact.ts'
import type { Graph, Notifier } from '../runtime/ports.ts'

type Environment = Readonly<Record<string, string | undefined>>

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

type Source = Readonly<{ spec?: Source; notify?: readonly NotifierSpec[] }>

/**
 * The usable notifiers of a graph. A process without the secret of a webhook skips it and leaves its notices to other processes.
 * `say` receives the lines of `log`; `show` is the command that prints a thread.
 */
export function notifiersIn(
  { source }: Pick<Graph, 'source'>,
  say: (line: string) => void = line => void process.stderr.write(line),
  show?: (thread: string) => string,
  environment: Environment = process.env,
): readonly Notifier[] {
  const { notify = [] } = (source as Source).spec ?? (source as Source)
  const hosts = new Map<string, number>()
  return notify.flatMap(spec => {
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
