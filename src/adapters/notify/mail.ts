/** Sends notices by mail over SMTP, with nodemailer. */
import { escapeControls, oneLine } from '../../core/watch/data/invisible.ts'
import type { Transporter } from 'nodemailer'
import type { MailSpec } from '../../core/graph/spec/resource.ts'
import { defined } from '../../core/watch/data/json.ts'
import { explain } from '../../core/watch/reason/reason.ts'
import type { Notice, Notifier } from '../../runtime/notifier.ts'
import { MissingPackage } from '../missing-package.ts'

/** The parts of a mail notifier: its entry in the spec, and the password itself. */
export interface MailParts {
  /** The name in the journal. */
  readonly name: string
  readonly spec: MailSpec
  /** The password of `spec.user`. */
  readonly password?: string
  /** The command that prints a thread. */
  readonly show?: (thread: string) => string
}

const SUBJECT_MAX = 150

/**
 * A notifier that sends each notice to all addresses as one mail: the question, why it is asked, the latest events and the command
 * that has the rest. The whole notice is attached as JSON. Needs `nodemailer` at the first notice.
 * @example const desk = mail({ name: 'desk', password, spec: { mail: ['desk@example.com'], from: 'agent@example.com', server: 'smtps://smtp.example.com', user: 'agent', secretFrom: 'SMTP_PASSWORD', timeout: 10_000, attempts: 4 } })
 */
export function mail({ name, spec, password, show }: MailParts): Notifier {
  const { to, timeout, attempts } = spec
  return {
    name,
    ...defined({ to: to || undefined }),
    timeout,
    attempts,
    async send(notice, { id }) {
      const transport = await transportTo(spec, password)
      try {
        const sent = await transport.sendMail({
          from: spec.from,
          to: [...spec.mail],
          subject: subjectOf(notice),
          text: textOf(notice, show),
          attachments: [{ filename: 'notice.json', content: JSON.stringify(notice, null, 2) }],
          // The same for every attempt: mail programs show a duplicate once.
          messageId: `<${encodeURIComponent(id.toWellFormed())}@escapement>`,
          headers: { 'Auto-Submitted': 'auto-generated' },
        })
        return oneLine(sent.response ?? '')
      } catch (error) {
        throw refusalOf(error)
      }
    },
  }
}

/** The connection is encrypted, except to this machine with `insecure`. */
async function transportTo(spec: MailSpec, password: string | undefined): Promise<Transporter> {
  const { createTransport } = await import('nodemailer').catch(cause => {
    throw new MissingPackage('mail needs a package: npm install nodemailer', { cause })
  })
  const { hostname, port, protocol } = new URL(spec.server)
  const { user, timeout, insecure = false } = spec
  const secure = protocol === 'smtps:'
  return createTransport({
    host: hostname.replace(/^\[|\]$/g, ''),
    port: Number(port) || (secure ? 465 : 587),
    secure,
    requireTLS: !insecure,
    ignoreTLS: insecure,
    ...(user !== undefined && { auth: { user, pass: password ?? '' } }),
    connectionTimeout: timeout,
    greetingTimeout: timeout,
    socketTimeout: timeout,
    // Nothing in a notice is read as the name of a file or the address of a page.
    disableFileAccess: true,
    disableUrlAccess: true,
  })
}

/** Replies 4xx of SMTP are temporary, 5xx are final (RFC 5321, 4.2.1). */
function refusalOf(error: unknown): unknown {
  const { responseCode = 0 } = error as { responseCode?: number }
  if (responseCode === 0) return error
  const code = responseCode < 500 ? 'EAGAIN' : 'EACCES'
  return Object.assign(new Error(`SMTP ${responseCode}`, { cause: error }), {
    name: 'NotTaken',
    code,
  })
}

function subjectOf({ thread, review: { question } }: Notice): string {
  const subject = oneLine(`[${thread}] ${question}`)
  return subject.length > SUBJECT_MAX ? `${subject.slice(0, SUBJECT_MAX)}…` : subject
}

/** A question may contain texts of a model. Their lines must not look like those of the mail. */
const indented = (question: string): string =>
  escapeControls(question.replaceAll(/\r\n?/g, '\n')).replaceAll('\n', '\n  ')

function textOf({ thread, graph, review }: Notice, show = showCommand): string {
  const { question, to, because, judged = {}, lately, channels, deadline } = review
  const list = (title: string, lines: readonly string[]) =>
    lines.length === 0 ? [] : ['', `${title}:`, ...lines.map(line => `  ${oneLine(line)}`)]
  return [
    indented(question),
    ...list(
      'Why',
      because.map(({ reason }) => explain(reason)),
    ),
    ...list(
      'Call',
      Object.entries(judged).map(([name, value]) => `${name}: ${value}`),
    ),
    ...list(
      'State',
      Object.entries(channels).map(([name, value]) => `${name}: ${value}`),
    ),
    ...list(
      'Latest events',
      lately.map(({ seq, text }) => `${seq} ${text}`),
    ),
    '',
    `Thread ${thread} of ${graph}${to === undefined ? '' : `, for ${to}`}.`,
    ...(deadline === undefined ? [] : [`Answer before ${new Date(deadline).toISOString()}.`]),
    `${show(thread)} prints the evidence and the possible answers.`,
    '',
  ].join('\n')
}

const showCommand = (thread: string) => `escapement show ${thread} --store FILE`
