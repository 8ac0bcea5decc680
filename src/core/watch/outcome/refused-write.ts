/**
 * Whether the answer of a write says, in any words, that it was not made.
 *
 * Intuition: "Your card was declined.", "Slot is already booked" and "name must be a string" are short, and state in their first clause
 * what was not possible. "Saved. It cannot be changed." states first what was done.
 *
 * Hard cases: "Subscription expired" as the answer of `expire_subscription`, and "Issue 'Disk full' created".
 * Rejected: the same weight as for an error. An answer in ordinary words may also be the receipt of a good write, so it counts half.
 */

/** A longer answer is content. */
const LENGTH_MAX = 300
const CLAUSE = /^[^\n.;!]{1,160}(?:\.(?=\S)[^\n.;!]{0,160}){0,8}/
const QUOTED = /(?<![\w'])'[^'\n]{1,80}'(?!\w)|"[^"\n]{1,80}"|`[^`\n]{1,80}`|[“«][^”»\n]{1,80}[”»]/g

/** What was done. Before a refusal, or as the last word, it makes the clause a receipt. A read is begun, too. */
const BEGUN =
  'accepted|built|completed|connected|done|executed|finished|generated|issued|ok|okay|opened|processed|received|started|succeeded|success|successful|successfully'
const WRITTEN =
  'added|applied|approved|assigned|attached|bookmarked|cleared|cloned|committed|configured|confirmed|copied|created|deleted|delivered|deployed|dropped|edited|enabled|enqueued|formatted|forwarded|granted|imported|inserted|installed|invited|logged|marked|merged|migrated|modified|moved|noted|notified|ordered|paid|patched|posted|published|pushed|queued|recorded|refunded|registered|released|removed|renamed|replaced|resolved|restarted|restored|revoked|saved|scheduled|sent|set|shared|stored|submitted|subscribed|synced|tagged|unsubscribed|updated|uploaded|written|wrote'
const MADE = `${BEGUN}|${WRITTEN}`
/** Also a state, as in "the channel has been archived": only at the beginning, or before what it became. */
const STATES =
  'archived|requeued|redriven|closed|transitioned|staged|skipped|skipping|erased|labell?ed|reported'
const BECAME = `^\\W{0,4}(?:\\w+: )?(?:${STATES})\\b(?!=)|\\b(?:${STATES})(?: (?:as|to)\\b|,)`
const BEFORE = new RegExp(`\\b(?:${MADE})\\b|${BECAME}`, 'i')
/** Not a count such as `added=0`, nor what is still to be ("must be logged in"), nor what was before ("You have published too many"). */
const WRITTEN_ANY = new RegExp(
  `(?<!\\b(?:be(?:ing)?(?: \\w+)?|you are) )\\b(?:${WRITTEN})\\b(?!=| too (?:many|much|often)\\b)|${BECAME}`,
  'i',
)
const LAST = new RegExp(`\\b(?:${MADE})\\W*$`, 'i')

/** Not "is not required", "was not exceeded", "cannot be undone" and "did not exist and was created", which good receipts add. */
const NOT =
  /\b(?:(?:not|cannot|no longer|never)\b|(?:ca|is|was|are|were|does|do|did|wo|has|have|could|would)n['’]t\b)(?! (?:only|exceeded|be undone|be reverted|need|(?:be )?(?:required|needed|necessary)|exist(?:,| and)|present,|set;)(?!\w))/i
/** `Release "web" does not exist. Installing it now.`: what is missing is made. */
const MADE_NOW =
  /\b(?:does|did|do)(?: not|n['’]t) exist(?: yet)?[.,:;]? (?:creating|installing|adding|initializing|generating) (?:it|one|a|an|the|now|new)\b(?![^\n]*\b(?:fail|error))/gi
/** What the call or the system lacks. */
const LACKS =
  /\b(?:npm err(?:or)?|insufficient|not enough|missing|out of (?:stock|memory|space|range|credits?|funds|bounds|quota)|no (?:[\w-]+ ){0,3}(?:available|exists?|match(?:es|ed)?|named|such|left)|no space\b|nothing to \w+|(?:disk|queue|mailbox|storage|memory|inbox) full|(?:un|read-)(?:available|supported|reachable|authenticated|processable|authorized|only)|maintenance|is (?:currently )?(?:full|busy|closed|archived|empty|down|offline|inactive|immutable))\b/i
/** What the call should have contained. */
const REQUIRES =
  /\b(?:must|invalid|enter a valid|rate ?limited|(?:is|are|fields?|parameters?|arguments?|values?|login|authentication|authorization|approval|captcha|subscription|verification|confirmation|permission) required|required (?:field|parameter|argument|property|value|option)|too (?:many|much|long|large|big|short|small|few|late|early|old|high|low)|may not be|bad request|malformed|incomplete|incorrect|expected\b.{1,80}\b(?:got|received|but|found)|please (?:try|log|sign|authenticate|refresh|retry|check|provide|specify|use|select|enter|verify|correct)|try again|upgrade (?:your|to)|(?<!not )exceed(?:s|ed|ing)?)\b/i
/** What another write, a person or a rule has decided. */
const OPPOSED =
  /\b(?:conflicts?(?! resolved)|conflicting|duplicate|mismatch|stale|deadlock|violates|violation|(?:authorization|authentication|validation) (?:failed|exception|error)|could not be performed|declined|rejected|refused|denied|expired|suspended|disabled|deactivated|blocked|aborted|interrupted|timed out|cancell?ed by|user cancell?ed|modified (?:since|by)|(?:another [\w ]{1,30}|already|while) in progress|found \d+ (?:matches|occurrences)\b.{0,80}\bbut|multiple (?:matches|occurrences)|already (?:booked|taken|running|in use|exists?|refunded|sold|reserved|claimed|used|registered))\b/i
/** A statement of a database that changed nothing. A clean-up may have nothing to delete. */
const NO_ROWS =
  /^(?:[\w, ]{0,20}\b0 (?:rows?|records?|documents?|lines?|items?|entries) (?:were |was )?(?:affected|updated|changed|modified|matched|inserted)\b|(?:update|insert 0|merge) 0\W*$|\W{0,4}(?:n?modified|matched|affected|updated)_?(?:count|rows)?["']?[:=] ?0\W*$)/i
/** The beginning of an error of ClickHouse, SQL Server, Snowflake, MySQL and PDO. */
const OF_DATABASES =
  /^(?:Code: \d+\. DB::Exception|Msg \d+, Level \d+|\d{6} \(\w{5}\):|ERROR \d+ \(\w{5}\)|SQLSTATE\b)/
const REFUSALS = [NOT, LACKS, REQUIRES, OPPOSED]

/** A name in place of a sentence: `channel_not_found`, `OUT_OF_STOCK`. */
const NAME = /^[a-z]+(?:_[a-z]+)+$/i

export function saysNotMade(text: string): boolean {
  if (text.length > LENGTH_MAX) return false
  const trimmed = text.trim()
  if (NO_ROWS.test(trimmed) || OF_DATABASES.test(trimmed)) return true
  if (LAST_SENTENCE.test(trimmed)) return false
  const plain = NAME.test(trimmed)
    ? trimmed.replaceAll('_', ' ')
    : trimmed.replace(QUOTED, '…').replace(MADE_NOW, '…')
  const clause = CLAUSE.exec(plain)?.[0] ?? ''
  // "Conflict: the record has been modified"
  return isRefused(clause.split(': ')[0] ?? '') || isRefused(clause)
}

const isRefused = (clause: string): boolean =>
  REFUSALS.some(pattern => {
    const at = pattern.exec(clause)?.index
    return at !== undefined && !BEFORE.test(clause.slice(0, at)) && !isReceipt(clause)
  })

/** Whether a text begins with what was written, or ends with a sentence of its own about it. */
export const saysMade = (text: string): boolean => OPENING.test(text) || LAST_SENTENCE.test(text)

/** Whether a line has a word for what was written. */
export const hasMade = (line: string): boolean => WRITTEN_ANY.test(line)

/** "Email sent.", "OPS-7 resolved as …", "Note added: …". "The shared link" and "It has been removed" are other texts. */
const OPENING = new RegExp(
  `^\\W{0,4}(?:[\\w#/-]+ (?:[\\w#/-]+ )?)?(?<!\\b(?:been|was|were|is|are|be|not|0|no) )(?:${WRITTEN}|${STATES})(?=[.:,!"“]|$| (?:as|to|for|with|from|in|at|["“]|\\w+[ ]\\S*[#/\\d]))`,
  'i',
)
const BRACKETS = /\([^()\n]{1,120}\)/g

/** A receipt without what it names: `Closed issue 7 (Error: no login)`, `Archived: "Delivery failed"`. */
export const withoutNames = (text: string): string =>
  OPENING.test(text) && !/\b(?:0|no)\b/i.test(text.slice(0, 60))
    ? text.replace(QUOTED, '…').replace(BRACKETS, '…')
    : text

const LAST_SENTENCE = new RegExp(`[.!\\n]\\s*(?:${WRITTEN})\\W*$`, 'i')

/** "Rule 'access denied' added" states last what was done, "Your message could not be delivered" what was not. */
const isReceipt = (clause: string): boolean => LAST.test(clause) && !NOT.test(clause)
