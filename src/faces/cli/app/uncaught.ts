/** What custom code throws after its call, such as the rejection of a promise that it forgot. It ends the process. */
import { redactEnvironment } from '../../../kit/redact-environment.ts'
import { withoutControls } from '../print/layout.ts'

/** One line, without a stack trace and without secrets. */
export function uncaughtText(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error)
  const [line = ''] = message.split('\n')
  return `error: code of a graph has failed outside of its call: ${withoutControls(redactEnvironment()(line))}\n`
}
