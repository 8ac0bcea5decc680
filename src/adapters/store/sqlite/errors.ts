/** What SQLite says in codes, said in sentences that name the file. */
import { StoreUnavailable } from '../../../runtime/store/store.ts'

/** By SQLite's primary result code. A code that is not here means that a statement of ours is wrong, and stays what it is. */
const SENTENCES: Readonly<Record<number, (file: string) => string>> = {
  3: file => `no permission to use ${file}`,
  5: file => `${file} has been locked by another process for too long`,
  8: file => `${file} cannot be written: it was opened read-only, or the file is read-only`,
  10: file => `${file} cannot be read or written`,
  11: file => `${file} is damaged`,
  13: file => `there is no space left for ${file}`,
  14: file =>
    `${file} cannot be opened; expected a file in a folder that can be written to, even by whoever only looks`,
  26: file => `${file} is not a SQLite database`,
}

interface SqliteError extends Error {
  readonly code: string
  readonly errcode?: number
}

function isSqliteError(error: unknown): error is SqliteError {
  return (
    error instanceof Error &&
    'code' in error &&
    (error.code === 'ERR_SQLITE_ERROR' || error.code === 'ERR_INVALID_STATE')
  )
}

/** SQLite's primary result code; extended codes carry it in their lowest byte. */
export function resultCode(error: unknown): number | undefined {
  return isSqliteError(error) && error.errcode !== undefined ? error.errcode & 0xff : undefined
}

/** An error of SQLite that has to do with the file as `StoreUnavailable`; any other error as it is. */
export function explainError(file: string, error: unknown): unknown {
  if (!isSqliteError(error)) return error
  if (error.code === 'ERR_INVALID_STATE')
    return new StoreUnavailable(`${file} has been closed`, { cause: error })
  const sentence = SENTENCES[resultCode(error) ?? 0]
  return sentence
    ? new StoreUnavailable(`${sentence(file)} (${error.message})`, { cause: error })
    : error
}
