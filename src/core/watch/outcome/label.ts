/**
 * Whether an answer is a label: one word, without the end of a sentence.
 *
 * Intuition: a tool that sorts lines of a log, or looks up the state of a job, answers "error" for each line or job that is one.
 * Hard case: a command or a write that prints only "error" has failed. Rejected: only tools with the name of a classifier, which misses
 * `ask_model` and `job_status`.
 */
const WORD = /^\s*"?[\p{L}_-]{1,40}"?\s*$/u

export const isLabel = (text: string): boolean => WORD.test(text)
