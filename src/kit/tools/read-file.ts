import { z } from 'zod'
import type { Calling, Tool } from '../../runtime/ports.ts'
import { BusinessError, InvalidArguments, tool } from '../tool.ts'
import { isBinary, openFile, type Place, type Workspace } from '../workspace.ts'

const BYTES_MAX = 10_000_000
/** One page: what a model can take in at once, and what its message has room for. */
const LINES_MAX = 400
const CHARACTERS_MAX = 12_000

/** Reads a page of a text file of the workspace. */
export function readFile(workspace: Workspace): Tool {
  return tool({
    name: 'read_file',
    description: `Reads a text file of the workspace, at most ${LINES_MAX} lines at once. Where the answer has \`next\`, the file goes on from that line.`,
    inputSchema: z.strictObject({
      path: z.string().min(1).describe('The file, relative to the workspace.'),
      from: z.int().min(1).max(100_000_000).default(1).describe('The first line to read, from 1.'),
      lines: z.int().min(1).max(LINES_MAX).default(LINES_MAX).describe('How many lines to read.'),
    }),
    effects: 'read',
    execute: async ({ path, ...range }, call) => page(await workspace.find(path), range, call),
  })
}

async function page(place: Place, { from, lines }: { from: number; lines: number }, call: Calling) {
  const all = linesOf(await textOf(place, call))
  if (from > Math.max(1, all.length))
    throw new InvalidArguments('read_file', [
      {
        path: 'from',
        message: `expected at most ${all.length}, the number of lines of '${place.shown}'`,
      },
    ])
  const taken: string[] = []
  let characters = 0
  for (const line of all.slice(from - 1, from - 1 + lines)) {
    if (characters + line.length > CHARACTERS_MAX && taken.length > 0) break
    taken.push(
      line.length > CHARACTERS_MAX
        ? `${line.slice(0, CHARACTERS_MAX)} … [${line.length - CHARACTERS_MAX} more characters in this line]`
        : line,
    )
    characters += line.length + 1
  }
  const to = from + taken.length - 1
  return {
    path: place.shown,
    from,
    to,
    total: all.length,
    text: taken.join('\n'),
    ...(to < all.length ? { next: to + 1 } : {}),
  }
}

async function textOf(place: Place, { signal }: Calling): Promise<string> {
  const { handle, size } = await openFile(place)
  try {
    if (size > BYTES_MAX)
      throw new BusinessError(
        `'${place.shown}' has ${size} bytes; at most ${BYTES_MAX} can be read. Search it with grep instead.`,
      )
    const bytes = await handle.readFile({ signal })
    if (isBinary(bytes))
      throw new BusinessError(
        `'${place.shown}' is a binary file of ${bytes.length} bytes; only text can be read`,
      )
    return new TextDecoder().decode(bytes)
  } finally {
    await handle.close()
  }
}

function linesOf(text: string): string[] {
  const lines = text.split(/\r?\n/)
  if (lines.at(-1) === '') lines.pop()
  return lines
}
