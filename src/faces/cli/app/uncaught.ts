/** An uncaught error ends the process: most often, the rejection of a promise that custom code forgot. */
import { withoutControls } from '../../../core/watch/data/invisible.ts'
import { thrownText } from '../../../core/watch/failure/thrown-text.ts'
import { redactEnvironment } from '../../../kit/redact-environment.ts'

/** One line, without a stack trace and without secrets. */
export function uncaughtText(error: unknown): string {
  // A secret may have several lines, and half a secret is not recognized.
  const [line = ''] = thrownText(error, redactEnvironment()).split('\n')
  return `error: uncaught: ${withoutControls(line)}\n`
}
