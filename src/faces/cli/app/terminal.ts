/** The outputs of the command line: results, messages, and one line that is updated in place. */
import { escapeControls, messageLine } from '../../../core/watch/data/invisible.ts'
import type { Blocks, Screen, Text } from '../print/layout.ts'
import { draw, PIPE } from '../print/layout.ts'

export interface Terminal {
  /** Prints a result without layout: JSON, drawings. Control characters become escapes. */
  readonly out: (text: string) => void
  readonly print: (blocks: Blocks) => void
  /** Prints a message with its line break. Control characters and other line breaks become escapes. */
  readonly err: (text: string) => void
  readonly note: (blocks: Blocks) => void
  /** Replaces the line at the bottom of the screen. Any other output removes it. */
  readonly status: (line: Text) => void
  /** Messages go to a terminal. */
  readonly tty: boolean
  /** Results go to a terminal. */
  readonly interactive: boolean
}

/** Results can no longer be delivered: the process leaves its threads as at SIGTERM. */
export class OutputClosed extends Error {
  override readonly name = 'OutputClosed'
  constructor() {
    super('the reader of the results has ended')
  }
}

interface Stream {
  readonly isTTY?: boolean
  readonly columns?: number
  write(text: string): unknown
}

type Environment = Readonly<Record<string, string | undefined>>

const ERASE = '\r\x1b[K'

export function terminalOf(out: Stream, err: Stream, environment: Environment): Terminal {
  let hasStatus = false
  const write = (stream: Stream, text: string) => {
    if (hasStatus) err.write(ERASE)
    hasStatus = false
    if (text !== '') stream.write(text)
  }
  const print = (stream: Stream, blocks: Blocks) =>
    write(stream, draw(blocks, screenOf(stream, environment)))
  return {
    tty: err.isTTY === true,
    interactive: out.isTTY === true,
    out: text => write(out, escapeControls(text)),
    err: text => write(err, messageLine(text)),
    print: blocks => print(out, blocks),
    note: blocks => print(err, blocks),
    status: line => {
      if (!err.isTTY) return
      const screen = screenOf(err, environment)
      // A line that fills the screen wraps, and cannot be erased.
      write(err, draw([line], { ...screen, columns: screen.columns - 1 }).trimEnd())
      hasStatus = true
    },
  }
}

/** A pipe takes lines of any length. `FORCE_COLOR` and `NO_COLOR` work as in other tools. */
export function screenOf({ isTTY = false, columns }: Stream, environment: Environment): Screen {
  const { FORCE_COLOR, NO_COLOR, TERM, LC_ALL, LC_CTYPE, LANG } = environment
  const locale = LC_ALL || LC_CTYPE || LANG || 'UTF-8'
  const color = isTTY && !NO_COLOR && TERM !== 'dumb'
  return {
    columns: isTTY ? columns || 80 : PIPE.columns,
    color: FORCE_COLOR === undefined ? color : !['0', 'false'].includes(FORCE_COLOR),
    unicode: !isTTY || /utf-?8/i.test(locale),
  }
}
