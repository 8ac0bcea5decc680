/**
 * Reasons as data: every finding, skipped rung, refusal and ending stores a code with params. `explain` renders them, so that
 * a new wording changes no journal.
 */
import { CATALOG, fillTemplate, type ParamsIn } from './catalog.ts'

/** The code of a reason. */
export type Code = keyof typeof CATALOG

export const CODES = Object.keys(CATALOG) as readonly Code[]

// biome-ignore lint/complexity/noBannedTypes: a code without params.
type Empty = {}

/** All codes, each with its params. Texts of users and of external systems are params. */
export type ReasonParams = {
  readonly [C in Code]: (typeof CATALOG)[C] extends (params: infer P) => string
    ? Readonly<P>
    : unknown extends ParamsIn<(typeof CATALOG)[C]>
      ? Empty
      : ParamsIn<(typeof CATALOG)[C]>
}

/** Why something happened. `cause`: the reason behind it. */
export type Reason<C extends Code = Code> = {
  readonly [K in C]: { readonly code: K; readonly cause?: Reason } & (Empty extends ReasonParams[K]
    ? { readonly params?: ReasonParams[K] }
    : { readonly params: ReasonParams[K] })
}[C]

/**
 * One sentence: what happened, and its cause.
 *
 * @example console.log(explain(finding.reason))
 */
export function explain(reason: Reason): string {
  const { cause } = reason
  const text = sentence(reason)
  if (cause === undefined) return text
  // The question comes last.
  if (reason.code.startsWith('ask-')) return `${explain(cause)}. ${text}`
  if (cause.code !== 'call-failed') return `${text}: ${explain(cause)}`
  // What the call itself did adds nothing to its failure.
  return isAbout(reason, cause.params.call) ? explain(cause) : `${explain(cause)}; then ${text}`
}

function sentence({ code, params = {} }: Reason): string {
  const entry = CATALOG[code] as string | ((params: object) => string) | undefined
  if (typeof entry === 'string') return fillTemplate(entry, { ...params })
  // A journal of a newer version may hold a code that this version does not know.
  return entry ? entry(params) : `${code} ${JSON.stringify(params)}`
}

function isAbout({ params }: Reason, call: string): boolean {
  const about: { readonly call?: string; readonly calls?: readonly string[] } = params ?? {}
  return about.call === call || (about.calls?.length === 1 && about.calls[0] === call)
}

/** Characters of a text of users or of external systems that a reason keeps. */
const TEXT_MAX = 300

/** A word that the cut of a text may have split. It may be the beginning of a secret, and half of one would not be recognized. */
const SPLIT_WORD = /[^\s"'`,;<>(){}[\]\u0080-\uffff]+$/

/** At most `max` characters of a text, without a word of ASCII that would be split. */
export function excerptOf(text: string, max = TEXT_MAX): string {
  if (text.length <= max) return text
  return `${text.slice(0, max - 1).replace(SPLIT_WORD, '')}…`
}

/** A text that a custom detector or rung gives. */
export function customReason(text: unknown): Reason<'custom'> {
  return { code: 'custom', params: { text: excerptOf(String(text)) } }
}

/** Why `reconcile` of a tool does not say whether a call took effect. */
export type Broken = Reason<'reconcile-failed' | 'reconcile-invalid'>

export const isBroken = (reason: Reason | undefined): reason is Broken =>
  reason?.code === 'reconcile-failed' || reason?.code === 'reconcile-invalid'

/** The reason of an end that has no other. */
export const STOPPED: Reason = { code: 'ended-as-stopped' }

const CANCELLATIONS = [
  'parent-ended',
  'parent-continued',
  'node-left',
  'enough-succeeded',
  'too-many-failed',
] as const

/** Why a thread was cancelled: by the runtime, whose events say so with a code, or by a person. */
export function cancelReasonOf(text: string): Reason {
  const code = CANCELLATIONS.find(each => each === text)
  return code ? { code } : { code: 'cancelled', params: { text: excerptOf(text) } }
}

/** An error of the runtime itself. Journals store its reason. */
export class ReasonError extends Error {
  readonly reason: Reason
  constructor(name: string, reason: Reason) {
    super(explain(reason))
    this.name = name
    this.reason = reason
  }
}
