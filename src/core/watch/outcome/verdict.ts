/**
 * Whether a sentence states that what was examined is missing or wrong: the result of a tool that examines.
 *
 * Hard case: the check itself may have failed. "Invalid API key" and "File not found" are about the call, and an error is a failure.
 */

const VERDICT_MAX = 80
const NEGATIVE =
  /\b(?:not found|no such|does not exist|(?:no|not a) (?:match|result|record|entry)(?:e?s)?|invalid|not valid|unknown|unrecognized)\b/i
const OF_CALL =
  /\b(?:errors?|exception|traceback|failed|failure|denied|refused|forbidden|unable|cannot|can't|could not|couldn't|timed? ?out|connect\w*|unavailable|api|key|tokens?|credentials?|session|command|tool|function|method|module|arguments?|parameters?|options?|request|input|syntax|json|files?|directory|folder|path)\b/i

export const isVerdict = (text: string): boolean =>
  text.length <= VERDICT_MAX && NEGATIVE.test(text) && !OF_CALL.test(text)
