/** Node's own SQLite, loaded without the notice Node 22 prints about it. */

type Sqlite = typeof import('node:sqlite')

/** What Node 22 calls experimental has been stable in use and in its format; any other warning still comes out. */
export function nodeSqlite(): Sqlite {
  const emitWarning = process.emitWarning
  process.emitWarning = ((...warning: Parameters<typeof emitWarning>) => {
    if (!String(warning[0]).startsWith('SQLite is an experimental feature'))
      Reflect.apply(emitWarning, process, warning)
  }) as typeof emitWarning
  try {
    const sqlite = process.getBuiltinModule('node:sqlite') as Sqlite | undefined
    if (!sqlite)
      throw new Error(`node:sqlite needs Node 22.13 or newer; this is ${process.version}`)
    return sqlite
  } finally {
    process.emitWarning = emitWarning
  }
}
