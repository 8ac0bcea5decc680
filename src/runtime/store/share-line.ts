/** A share as databases keep it. Its columns repeat fields of its body: a difference between the two is a flipped bit. */
import type { Share } from '../../core/watch/budget/scope.ts'
import { type Body, parseBody } from './body.ts'
import { damagedError } from './row-text.ts'
import { upcastShare } from './upcast.ts'

/** The columns by which shares are found and expire. */
const COLUMNS = ['scope', 'key', 'thread', 'until'] as const

export type ShareLine = Body & Pick<Share, (typeof COLUMNS)[number]>

/** @throws StoreUnavailable if a column differs from the body: under another key, a spent budget would be forgotten */
export function shareOf(line: ShareLine): Share {
  const what = `the share of '${line.thread}' in scope '${line.scope}'`
  const share = upcastShare(parseBody<Share>(line, what))
  if (COLUMNS.some(name => wellFormed(share[name]) !== wellFormed(line[name])))
    throw damagedError(what)
  return share
}

/** As a database returns it. Half a surrogate pair becomes another character there. */
const wellFormed = (value: Share[(typeof COLUMNS)[number]]) =>
  typeof value === 'string' ? value.toWellFormed() : value
