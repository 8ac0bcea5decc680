/** The notifiers that a spec declares. */
import { defined } from '../../core/watch/data/json.ts'
import { codedError, guardOf } from '../../core/watch/data/fault.ts'
import { logNotifier } from '../../adapters/notify/log.ts'
import { mail } from '../../adapters/notify/mail.ts'
import { webhook } from '../../adapters/notify/webhook.ts'
import type { NotifierSpec } from '../../core/graph/spec/resource.ts'
import { useSecret } from '../../runtime/redaction/process-secrets.ts'
import type { Graph } from '../../runtime/ports.ts'
import type { Notifier } from '../../runtime/notifier.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** A webhook without its secret, which signs the notices, or a mail server without its password. */
export class NoSecret extends codedError('NoSecret', 'no-secret') {}

/** Whether an error is a `NoSecret`. */
export const isNoSecret = guardOf(NoSecret)

/** Checks the secrets before a thread starts. @throws NoSecret */
export function checkSecrets(specs: readonly NotifierSpec[], environment: Environment): void {
  for (const [index, spec] of specs.entries())
    if (spec !== 'log' && spec.secretFrom !== undefined && !environment[spec.secretFrom])
      throw new NoSecret(
        `notify[${index}].secretFrom: the environment has no ${spec.secretFrom}, ${'mail' in spec ? 'the password of the mail server' : 'the secret that signs the notices'}`,
      )
}

type Source = Readonly<{ spec?: Source; notify?: readonly NotifierSpec[] }>

/**
 * The usable notifiers of a graph. A process without the secret of one skips it and leaves its notices to other processes.
 * `say` receives the lines of `log`; `show` is the command that prints a thread.
 */
export function notifiersIn(
  { source }: Pick<Graph, 'source'>,
  say: (line: string) => void = line => void process.stderr.write(line),
  show?: (thread: string) => string,
  environment: Environment = process.env,
): readonly Notifier[] {
  // A graph written by hand may have no source.
  const { notify = [] } = (source as Source | null)?.spec ?? (source as Source | null) ?? {}
  const counts = new Map<string, number>()
  // The name omits the path, which may contain a secret, because the journal stores the name.
  const nameOf = (kind: string, url: string) => {
    const name = `${kind} ${new URL(url).host}`
    const nth = (counts.get(name) ?? 0) + 1
    counts.set(name, nth)
    return nth > 1 ? `${name} ${nth}` : name
  }
  return notify.flatMap(spec => {
    if (spec === 'log') return [logNotifier(say, show)]
    const secret =
      spec.secretFrom === undefined ? undefined : useSecret(environment[spec.secretFrom])
    if ('webhook' in spec) {
      const name = nameOf('webhook', spec.webhook)
      return secret ? [webhook({ name, spec, secret })] : []
    }
    const name = nameOf('mail', spec.server)
    const isUsable = secret || spec.secretFrom === undefined
    return isUsable ? [mail({ name, spec, ...defined({ password: secret, show }) })] : []
  })
}
