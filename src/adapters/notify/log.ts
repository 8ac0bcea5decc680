/** The notifier `log`. */
import { oneLine } from '../../core/watch/data/invisible.ts'
import { explain } from '../../core/watch/reason/reason.ts'
import type { Notifier } from '../../runtime/notifier.ts'

/**
 * Writes one line for each notice. `show` is the command that prints a thread.
 * @example nodePorts({ graph, store, notifiers: [logNotifier(line => console.error(line))] })
 */
export function logNotifier(
  write: (line: string) => void,
  show = (thread: string) => `escapement show ${thread} --store FILE`,
): Notifier {
  return {
    name: 'log',
    timeout: 1_000,
    attempts: 1,
    async send({ thread, review }) {
      const { id, to, question, because, judged, deadline } = review
      const call = judged ? ` [${Object.values(judged).join(' ')}]` : ''
      const why = because[0] ? ` (${explain(because[0].reason)})` : ''
      const until = deadline === undefined ? '' : ` until ${new Date(deadline).toISOString()}`
      const line = `${thread} asks${to === undefined ? '' : ` ${to}`}: ${question}${call}${why}${until}; ${show(thread)} has the evidence, --question ${id} answers`
      write(`${oneLine(line)}\n`)
      return ''
    },
  }
}
