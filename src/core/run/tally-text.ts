/** Findings and escapes of threads in the words of a list, for every face. */
import type { FindingSignature, TalliedFinding } from './tally.ts'
import { truncate } from '../watch/data/fault.ts'
import type { Code } from '../watch/reason/reason.ts'

/** What the findings with a reason have in common. The reason in full is on the page of a thread. */
const COMMON: Partial<Readonly<Record<Code, string>>> = {
  'repeated-sequence': 'same arguments',
  'repeated-call': 'similar arguments',
  'repeated-state': 'same state',
  'frequent-state': 'entered too often',
  'repeated-text': 'same text',
  'repeated-paragraph': 'same paragraph',
  'repeated-error': 'same error',
  'repeated-answer': 'same answer',
  'no-new-information': 'no new information',
  'failed-rounds': 'all calls failed',
}

const MEMBER_LENGTH = 40

/** `search_docs, same arguments`. */
export const signatureText = ({ members, code }: FindingSignature): string =>
  [
    members.map(name => truncate(name, MEMBER_LENGTH)).join(' → '),
    COMMON[code] ?? code.replaceAll('-', ' '),
  ]
    .filter(text => text !== '')
    .join(', ')

/** `rethink ×2 → stop`. Earlier rungs than the listed ones are dots. */
export function rungsText(rungs: readonly string[], escapes: number): string {
  const runs: { rung: string; times: number }[] = []
  for (const rung of rungs) {
    const last = runs.at(-1)
    if (last?.rung === rung) last.times += 1
    else runs.push({ rung, times: 1 })
  }
  const texts = runs.map(({ rung, times }) => (times > 1 ? `${rung} ×${times}` : rung))
  return [...(escapes > rungs.length ? ['…'] : []), ...texts].join(' → ')
}

/** `2 × 5` for a repetition, otherwise the kind of the finding. */
export const repeatsText = (finding: TalliedFinding): string =>
  isCounted(finding) ? `${finding.period} × ${finding.repeats}` : finding.signature.kind

/** Whether the finding repeats something a number of times. */
export const isCounted = ({ signature: { kind }, repeats }: TalliedFinding): boolean =>
  (kind === 'loop' || kind === 'stall') && repeats > 1
