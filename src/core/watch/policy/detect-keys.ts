/** The keys of `detect`: every detector, with the range, default and meaning of each of its options. */
import type { Problem } from '../data/fault.ts'
import { name } from './names.ts'
import { as, count, duration, flag, json, type OutOf, text } from './policy-kinds.ts'
import {
  type Keys,
  list,
  mapFields,
  options,
  optOut,
  type PartTerms,
  record,
  settings,
  short,
} from './policy-parts.ts'

/** Options, or `false` to switch the detector off. */
const detector =
  <K extends Keys>(keys: K, terms: PartTerms = {}) =>
  (words: TemplateStringsArray) =>
    as(optOut(options(keys, terms)(words)), { default: {} })``

export const detectors = {
  sequence: detector({
    repeats: count({ min: 2, default: 3 })`The lap at which the loop is certain, as soon as it
      begins.`,
    periodMax: count({ max: 24, default: 24 })`The longest cycle that is found, in calls.`,
  })`loop: the same cycle of calls with the same answers, of any period.`,
  repetition: detector(
    {
      times: count({ min: 2, default: 3 })`How often the call must occur.`,
      within: count({ min: 2, max: 64, default: 16 })`Among this many latest calls.`,
    },
    { check: reachable },
  )`loop: the same call, or nearly the same, with the same answer, whatever lies between; new
    information in between weighs against it.`,
  recurrence: detector(
    {
      times: count({ min: 2, default: 3 })`How often the state must be entered.`,
      within: count({ min: 2, max: 64, default: 32 })`Among this many latest entries of states.`,
    },
    { check: reachable },
  )`loop: the same state with the same content, and no new information in between.`,
  visits: as(
    optOut(
      short(
        options({
          max: count({ min: 2, max: 32, required: true })`Entries of one state that are too many; a
            number in place of the map sets this.`,
          window: duration({ default: '1m' })`Within this time.`,
        })`loop: one state entered too often within a time, whatever happened there.`,
        count({ min: 2, max: 32 })``,
        max => ({ max }),
      ),
    ),
    { default: false },
  )``,
  stale: detector({
    times: count({ default: 16 })`The number of rounds.`,
  })`stall: rounds in which every call and answer was known; something new in between pays for
    four.`,
  errors: detector({
    times: count({ default: 3 })`How often the error must occur.`,
  })`stall: the same error of one tool, whatever the arguments, ids and places in it; a success in
    between makes earlier ones count for less.`,
  noToolCall: detector({
    times: count({ default: 2 })`The number of answers in a row.`,
  })`noToolCall: answers without a command where one is required.`,
  repeatedText: detector({
    times: count({ min: 2, default: 3 })`How often the agent must repeat it.`,
    nudges: count({ min: 2, default: 4 })`How often the user must repeat it.`,
  })`loop: the same text, or the same exchange of up to three texts, with no action in between.`,
  mistakes: detector({
    limit: count({ default: 8 })`The number of rounds in a row.`,
  })`stall: rounds in a row in which all calls failed, of any tool and for any reason.`,
}

/** A tuning inherits what it does not say from `detect`. */
const inherited = mapFields(detectors, ({ default: _, ...of }) => of) as typeof detectors

export const tunings = settings(inherited, {
  id: 'tunings',
})`The detectors of \`detect\` that differ here: each with its options, or \`false\` to switch it
  off.`

const argument = text()`An argument.`

const toolTunings = settings(
  {
    ...inherited,
    poll: flag()`The tool reports a status: the same answer again is expected.`,
    page: flag()`The tool reads something piece by piece: different arguments are different pieces,
      however similar.`,
    identity: list(argument, { min: 1 })`The arguments that make two calls the same; all others are
      ignored.`,
    ignore: list(argument)`Arguments that are ignored.`,
    progress: text({ min: 1 })`The path of the value in its answer that shows progress, as
      \`job.done\`: nothing else of it counts.`,
  },
  { id: 'toolTunings' },
)`How the calls of one tool are read, and the detectors of \`detect\` that differ for it.`

/** What `detect` holds beside custom detectors. */
export const detectKeys = {
  ...detectors,
  window: duration()`The window of \`visits\`, in place of its own.`,
  degenerateOutput: detector({
    repeats: count({ min: 3, default: 10 })`How often the same words follow each other.`,
    length: count({ min: 20, default: 200 })`And over how many characters.`,
  })`One answer of a model that repeats itself is aborted.`,
  tools: record(name, optOut(toolTunings), { default: {} })`What differs for calls of one tool;
    \`false\` ignores its calls.`,
  nodes: record(name, optOut(tunings), {
    default: {},
  })`The same for one node; \`tools\` comes first.`,
  ignore: list(text()`A channel.`, { default: [] })`Channels that are ignored when two states are
    compared.`,
}

export const detect = settings(detectKeys, {
  id: 'detect',
  custom: optOut(record(text()``, json)`The options of a custom detector.`),
})`The options of each detector, or \`false\` to switch it off. Custom detectors stand here by
  their names.`

/** How the calls of a tool are read. */
export type ToolHints = Omit<OutOf<typeof toolTunings>, keyof typeof detectors>
/** The options of a detector that is on. */
export type OptionsOf<N extends keyof typeof detectKeys> = Exclude<
  OutOf<(typeof detectKeys)[N]>,
  false
>
export type DetectorParts = OutOf<typeof tunings>
export type DetectParts = OutOf<typeof detect>

function reachable(options: { readonly times: number; readonly within: number }): Problem[] {
  const { times, within } = options
  const message = `is ${times}, of which the latest ${within} never hold so many; expected at most \`within\`, ${within}`
  return times > within ? [{ path: ['times'], message }] : []
}
