/**
 * Whether an answer is a label: the level of a line, the state of a job or the class of an item, as one word.
 *
 * Intuition: a tool that sorts lines of a log, or looks up the state of a job, answers "error" for each line or job that is one.
 * Hard cases: a command or a write that prints only "error" has failed, "Failed" is the sentence of a tool that has, and "timeout" and
 * "denied" are what became of a call. Rejected: only tools with the name of a classifier, which misses `ask_model` and `job_status`.
 */
const WORD = 'error|exception|failed|failure|invalid|unknown|unrecognized'
const LABEL = new RegExp(`^\\s*"?(?:${WORD}|${WORD.toUpperCase()})"?\\s*$`)

export const isLabel = (text: string): boolean => LABEL.test(text)
