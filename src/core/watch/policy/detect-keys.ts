/** The keys of `detect`: every detector, with the range, default and meaning of each option. */
import { mapFields } from '../data/json.ts'
import { z } from 'zod'
import { type Keys, type OutOf, as, key, plainOf } from './key.ts'
import { type MapOptions, options, optOut, record, settings, short, wordOr } from './map-keys.ts'
import { count, duration, flag, list, name, text } from './value-keys.ts'

/** Options, or `false` to switch the detector off. */
const detector =
  <K extends Keys>(keys: K, map: MapOptions = {}) =>
  (words: TemplateStringsArray) =>
    as(optOut(options('', keys, map)(words)), { default: {} })``

const visitsMax = { min: 2, max: 32 }
const within = (latest: number) => ({
  times: count({ min: 2, default: 3 })`The number of occurrences.`,
  within: count({ min: 2, max: 64, default: latest })`The number of latest events to search.`,
})

export const detectors = {
  sequence: detector({
    repeats: count({ min: 2, default: 3 })`The lap whose beginning makes the loop certain.`,
    periodMax: count({ max: 24, default: 24 })`The longest cycle to detect, in calls.`,
  })`loop: the same cycle of calls with the same answers, of any period.`,
  repetition: detector(within(16), { check: reachable })`loop: the same or nearly the same call with
    the same answer, with any calls in between. New information in between counts against it.`,
  recurrence: detector(within(32), { check: reachable })`loop: the same state with the same
    content, without new information in between.`,
  visits: as(
    optOut(
      short(
        options('', {
          max: count({ ...visitsMax, required: true })`The number of entries that is too many. A
            number in place of the map sets this option.`,
          window: duration({ default: '1m' })`The time window.`,
        })`loop: one state is entered too often within a time window, regardless of what happens in it.`,
        count(visitsMax)``,
        max => ({ max }),
      ),
    ),
    { default: false },
  )``,
  stale: detector({
    times: count({ default: 16 })`The number of rounds.`,
  })`stall: rounds in which every call and answer is known. New information offsets four rounds.`,
  errors: detector({
    times: count({ default: 3 })`The number of occurrences of the error.`,
  })`stall: the same error of one tool. Arguments, ids and positions in the message are ignored. A
    success in between reduces the weight of earlier errors.`,
  sameAnswer: detector({
    times: count({ min: 2, default: 5 })`The number of calls in words that were all used before.
      Calls that name something new count less or not at all.`,
  })`stall: the same answer of one tool to different calls.`,
  noToolCall: detector({
    times: count({ default: 2 })`The number of consecutive answers.`,
  })`noToolCall: answers without a command where one is required.`,
  repeatedText: detector({
    times: count({ min: 2, default: 3 })`The number of repetitions by the agent.`,
    nudges: count({ min: 2, default: 4 })`The number of repetitions by the user.`,
  })`loop: the same text, or the same exchange of up to three texts, without an action in between.`,
  mistakes: detector({
    limit: count({ default: 8 })`The number of consecutive rounds.`,
  })`stall: consecutive rounds in which all calls fail, of any tool and for any reason.`,
}

/** Options that a tuning omits come from `detect`. */
const inherited = mapFields<z.ZodType, z.ZodType>(detectors, of =>
  plainOf(of).optional(),
) as unknown as typeof detectors

export const tunings = settings(
  'tunings',
  inherited,
)`Detectors that differ from \`detect\`: each with its options, or \`false\` to switch it off.`

const toolTunings = settings('toolTunings', {
  ...inherited,
  poll: key(
    wordOr(
      [true, false],
      options('poll', {
        every: duration()`The least time between an answer and the next call with the same
          arguments. The runtime waits for the rest of it.`,
      })`How a tool is polled.`,
    ),
  )`The tool reports a status: identical answers are expected.`,
  page: flag()`The tool reads in pieces: different arguments are different pieces, however similar.`,
  identity: list(text()`An argument.`, { min: 1 })`The arguments that identify a call. All others
      are ignored.`,
  ignore: list(text()`An argument.`)`The arguments to ignore.`,
  progress: text({ min: 1 })`The path of the value in the answer that shows progress, such as
      \`job.done\`. The rest of the answer is ignored.`,
})`How detectors read the calls of one tool, and the detectors that differ for it.`

/** The keys of `detect` except custom detectors. */
export const detectKeys = {
  ...detectors,
  window: duration()`Overrides the window of \`visits\`.`,
  degenerateOutput: detector({
    repeats: count({ min: 3, default: 10 })`The number of consecutive repetitions of the same
      words.`,
    length: count({ min: 20, default: 200 })`The minimum length of the repetition in characters.`,
  })`A model answer that repeats itself is aborted.`,
  tools: record(name, optOut(toolTunings), { default: {} })`Overrides for calls of one tool.
    \`false\` ignores its calls.`,
  nodes: record(name, optOut(tunings), { default: {} })`Overrides for one node. \`tools\` takes
    precedence.`,
  adapt: flag({
    default: true,
  })`Each dismissed finding doubles the threshold of its detector for the
    tools or states of the finding, at most twice. \`false\`: thresholds stay.`,
  ignore: list(text()`A channel.`, { default: [] })`Channels to ignore when states are compared.`,
}

export const detect = settings('detect', detectKeys, {
  custom: optOut(record(text()``, z.json())`The options of a custom detector.`),
})`The options of each detector, or \`false\` to switch it off. Custom detectors are listed by name.`

/** How the calls of a tool are read. */
export type ToolHints = Omit<OutOf<typeof toolTunings>, keyof typeof detectors>
/** The options of a detector that is on. */
export type OptionsOf<N extends keyof typeof detectKeys> = Exclude<
  OutOf<(typeof detectKeys)[N]>,
  false
>
export type DetectorParts = OutOf<typeof tunings>
export type DetectParts = OutOf<typeof detect>

function reachable(
  { times, within }: { readonly times: number; readonly within: number },
  context: z.RefinementCtx,
): void {
  const message = `is ${times}, but only the latest ${within} are searched; expected at most \`within\`, ${within}`
  if (times > within) context.addIssue({ code: 'custom', path: ['times'], message })
}
