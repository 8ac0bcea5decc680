/** An answer in words: what was decided, by whom, and what has become of its thread. */
import type { AnsweredQuestion } from '../../../../src/host/answered.ts'

const DECIDED: Readonly<Record<AnsweredQuestion['decision'], string>> = {
  approved: 'Approved',
  rejected: 'Rejected',
  edited: 'Edited and approved',
  applied: 'Took effect',
  'not-applied': 'Did not take effect',
  dismiss: 'Not a loop',
  stop: 'Stopped',
}

/** `Approved`, or `rollback` and `rethink → plan` for a chosen rung. */
export function outcomeText({
  decision,
  rung,
  to,
}: Pick<AnsweredQuestion, 'decision' | 'rung' | 'to'>): string {
  const name = rung ?? DECIDED[decision]
  return to === undefined ? name : `${name} → ${to}`
}

const CALLERS: Readonly<Record<string, string>> = {
  session: 'a person in the inspector',
  anonymous: 'a caller without a key',
}

/** The service names its callers. Other programs that use the store give a name, or none. Names in imports are left out. */
export const callerText = ({ by }: Pick<AnsweredQuestion, 'by'>): string =>
  by === undefined ? 'a program that gave no name, or an import' : (CALLERS[by] ?? by)

/** What has become of the thread. */
export function threadText({ status, detail, outcome }: AnsweredQuestion): string {
  if (status === 'ended') return `ended: ${outcome}${detail === outcome ? '' : ` (${detail})`}`
  return status === 'waiting' ? `waits in ${detail}` : `runs in ${detail}`
}
