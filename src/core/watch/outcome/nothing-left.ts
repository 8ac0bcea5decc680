/**
 * What a text says of faults that were not found, and of work that was not left: the success of a check, a build or a migration.
 *
 * Intuition: "No changes detected" states what is so, "No changes made" what was not done.
 * Hard cases: "No matches found" of an edit, "nothing to commit" of a commit, and "No changes detected. The edit was not applied.", of
 * which the second sentence counts. Rejected: each "no" before a plural. "No files to upload" may be a write that was not made.
 */

const FAULTS =
  'issues?|problems?|errors?|warnings?|changes?|differences?|diffs?|drift|conflicts?|vulnerabilit(?:y|ies)|violations?|leaks?|(?:upgrade |migration )?operations|findings|updates?|upgrades?|migrations?'
const ABSENT =
  '(?:(?:was|were|are|is|has been|have been) )?(?:found|detected|identified|reported|needed|required|necessary|available|pending)|to (?:apply|deploy|migrate)|since'
const WORK =
  'be done|do|build|rebuild|compile|update|upgrade|install|migrate|fix|format|lint|clean|sync'
/** The rest of the clause. */
const REST = '\\b(?! (?:to|with (?:that|this|the)) )(?:(?! but\\b)[^.;,\\n])*'

/** At the beginning of a line, also behind the name of the program or its success. */
const NOTHING_LEFT = new RegExp(
  `^(?:[^\\w\\n]{0,6}(?!error|fatal|fail|abort)[\\w./[\\]-]{1,30}: )?[^\\w\\n]{0,6}(?:` +
    `(?:no|0|zero) (?:(?!such\\b)[\\w-]+ ){0,3}?(?:${FAULTS}) (?:${ABSENT})${REST}` +
    `|(?:there is )?nothing (?:left )?to (?:${WORK})${REST}` +
    '|no changes\\W{1,3}(?=[^\\n]{0,80}\\b(?:up[ -]to[ -]date|matches the configuration)\\b))',
  'gim',
)

/** The text without them. */
export const withoutNothingLeft = (text: string): string => text.replace(NOTHING_LEFT, '')
