/** A scripted model: it decides by what it sees, so every framework meets the same agent. */
import { draw, isMap, type Json } from '../../src/core/watch/data/json.ts'

/** What the model sees after its first message, in order. */
export type Seen =
  /** `value` is absent if the call failed. */
  | { readonly kind: 'result'; readonly tool: string; readonly value?: Json }
  | { readonly kind: 'note'; readonly text: string }

export interface View {
  readonly opening: string
  /** The system prompt: lessons, and tools that are out of order. */
  readonly system: string
  readonly seen: readonly Seen[]
}

export type Move =
  | { readonly tool: string; readonly args: Readonly<Record<string, Json>> }
  | { readonly say: string }

/** Decides the next step of an agent. */
export type Decide = (view: View, chance: (purpose: string) => number) => Move

/** The habits of the model, and the quality of a check, the same in every framework. They are assumptions, not measurements. */
export const HABITS = {
  /** After a failure and without a hint, it calls the same tool again. */
  retries: 0.9,
  /** It uses the other tool once a hint names this one, or once its result was rejected. */
  follows: 0.9,
  /** It checks its own result before it reports it. */
  checks: 0.1,
  /** It says so when it gives up; otherwise it claims success. */
  honest: 0.7,
  /** Failed calls after which it gives up. */
  patience: 6,
  /** A check accepts a wrong result. */
  misses: 0.1,
} as const

export const DONE = 'Done.'
export const GIVEN_UP = 'I could not do it.'

/** The random numbers of one decision: what the model has seen decides, not the framework. */
export const chanceOf =
  (seed: number, agent: string, { seen }: View) =>
  (purpose: string): number =>
    draw(seed, agent, seen.length, purpose)

/** Results that no later rejection puts in doubt. */
export function trusted({ seen }: View): readonly Seen[] {
  return seen.slice(seen.findLastIndex(isRejection) + 1)
}

const isRejection = (of: Seen): boolean =>
  of.kind === 'note'
    ? of.text.includes('not accepted')
    : of.tool === 'audit' && isMap(of.value) && of.value.passed === false

export function valueOf(seen: readonly Seen[], ...tools: readonly string[]) {
  const last = seen.findLast(
    of => of.kind === 'result' && tools.includes(of.tool) && isMap(of.value),
  )
  return last?.kind === 'result' && isMap(last.value)
    ? { tool: last.tool, value: last.value }
    : undefined
}

/** Which of two sources to ask now. */
export function sourceOf(
  view: View,
  { main, backup }: { readonly main: string; readonly backup: string },
  chance: (purpose: string) => number,
): string {
  const { seen, system, opening } = view
  const notes = seen.flatMap(of => (of.kind === 'note' ? of.text : []))
  const hints = [system, opening, ...notes].join('\n')
  const isNamed = hints.includes(`'${main}'`) || new RegExp(`\\b${main}\\b`).test(hints)
  const isDoubted = isNamed || seen.some(isRejection) || hints.includes('not accepted')
  if (isDoubted) return chance('follow') < HABITS.follows ? backup : main
  const last = seen.findLast(of => of.kind === 'result' && (of.tool === main || of.tool === backup))
  if (last?.kind !== 'result' || last.value !== undefined) return main
  const other = last.tool === main ? backup : main
  return chance('retry') < HABITS.retries ? last.tool : other
}

/** Gives up after too many failures. Some models then claim success. */
export function givenUp({ seen }: View, seed: number): Move | undefined {
  const failed = seen.filter(of => of.kind === 'result' && of.value === undefined).length
  if (failed < HABITS.patience) return undefined
  return { say: draw(seed, 'honest') < HABITS.honest ? GIVEN_UP : DONE }
}

/** Some models check their result before they report it. */
export function report(view: View, seed: number): Move {
  const last = view.seen.at(-1)
  const isChecked = last?.kind === 'result' && last.tool === 'audit'
  const checks = draw(seed, 'checks') < HABITS.checks
  return checks && !isChecked ? { tool: 'audit', args: {} } : { say: DONE }
}
