/** Commands as users type them. */
import { withoutPassword } from '../../../runtime/store/store-url.ts'

/** The store of the current folder. Each command creates it; another store is created by `run` and `import`. */
export const DEFAULT_STORE = '.escapement/threads.db'

/** A command about a thread, with the options that find it. The password of a database is left out. */
export function commandLine(command: string, { store, graph }: ThreadPlace): string {
  const words = [
    ...(store === DEFAULT_STORE ? [] : ['--store', quoted(withoutPassword(store))]),
    ...(graph === undefined || command.startsWith('show') ? [] : ['--graph', quoted(graph)]),
  ]
  return ['escapement', command, ...words].join(' ')
}

/** Where a command finds a thread: its store, and the graph that a program binds. */
export type ThreadPlace = Readonly<{ store: string; graph?: string }>

export const quoted = (word: string): string =>
  /^[\w./:@=-][\w./#:@=-]*$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`
