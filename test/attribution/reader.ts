/** A task with texts and lists: read the files of a folder, and write a summary. */
import { isMap, type Json } from '../../src/core/watch/data/json.ts'
import { givenUp, report, type Seen, trusted } from '../grid/agent.ts'
import type { Task, World } from '../grid/task.ts'

const FILES = ['plan.md', 'costs.md', 'risks.md']
const textOf = (path: string): string =>
  `# ${path}\n\nThe first part of ${path} says what is known. The second part says what is open, and who decides it. The third part has the dates.`

function folder(): World {
  let summary: Json = null
  const correct = () => summary === FILES.join(' ')
  let passed = false
  return {
    tools: {
      list_files: () => ({ files: FILES }),
      read_file: ({ path = '' }) => ({ path, text: textOf(String(path)) }),
      search_file: ({ path = '' }) => ({ path, text: textOf(String(path)) }),
      write_file: ({ text = null }) => {
        summary = text
        passed = false
        return { written: 'summary.md' }
      },
      audit: () => {
        passed = correct()
        return { passed, reason: passed ? '' : 'the summary does not cover the files' }
      },
    },
    correct,
    verified: () => passed,
    progress: () => (summary === null ? 0 : 1),
  }
}

const resultsOf = (seen: readonly Seen[], tool: string) =>
  seen.flatMap(of =>
    of.kind === 'result' && of.tool === tool && isMap(of.value) ? [of.value] : [],
  )

export const READER: Task = {
  topology: 'line',
  main: 'read_file',
  backup: 'search_file',
  isSubstitute: true,
  world: folder,
  workers: [
    {
      name: 'reader',
      goal: 'Summarize the files of the folder.',
      tools: ['list_files', 'read_file', 'search_file', 'write_file', 'audit'],
      decide: seed => view => {
        const stop = givenUp(view, seed)
        if (stop) return stop
        const seen = trusted(view)
        const files = resultsOf(seen, 'list_files').at(-1)?.files
        if (!Array.isArray(files)) return { tool: 'list_files', args: {} }
        const texts = ['read_file', 'search_file'].flatMap(tool => resultsOf(seen, tool))
        const next = files.find(file => !texts.some(({ path }) => path === file))
        if (next !== undefined) return { tool: 'read_file', args: { path: next } }
        const covered = files.filter(file =>
          texts.some(({ path, text }) => path === file && String(text).endsWith('dates.')),
        )
        if (resultsOf(seen, 'write_file').length === 0)
          return { tool: 'write_file', args: { text: covered.join(' ') } }
        return report(view, seed)
      },
    },
  ],
}
