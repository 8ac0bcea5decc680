/** How commands are added to the command line. */
import { type Command, Option } from 'commander'
import type { App } from './app/app.ts'

/** Adds a command to a group of the help. */
export type Add = (
  usage: string,
  description: string,
  example: string,
  options?: Option[],
) => Command

// biome-ignore lint/suspicious/noExplicitAny: commander checks the arguments of an action, and does not type them.
type Perform = (app: App, ...args: any[]) => Promise<number>
/** The action of a command. Its module is loaded when the command runs: `--version` and `--help` load none. */
export type Action = (load: () => Promise<Perform>) => (...args: unknown[]) => Promise<void>

/** An option with a list of values. */
export const choice = (
  flags: string,
  description: string,
  values: readonly string[],
  preset?: string,
) => new Option(flags, description).choices(values).default(preset)

/** Collects the values of a repeatable option. */
export const append = (text: string, before: string[] = []) => [...before, text]
