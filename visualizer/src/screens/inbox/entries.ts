/** The questions of the inbox in their three lists, and the address of each one. */
import type { AnsweredQuestion } from '../../../../src/host/answered.ts'
import type { InboxQuestion } from '../../../../src/host/overview.ts'
import { hrefOf } from '../../data/route.ts'
import { type Snoozes, snoozedUntil } from '../../data/snoozes.ts'

export const LISTS = ['waiting', 'snoozed', 'answered'] as const
export type ListName = (typeof LISTS)[number]

export interface Lists {
  readonly waiting: readonly InboxQuestion[]
  readonly snoozed: readonly InboxQuestion[]
  readonly answered: readonly AnsweredQuestion[]
}

interface Read {
  readonly open: readonly InboxQuestion[]
  readonly answered: readonly AnsweredQuestion[]
  readonly snoozes: Snoozes
  readonly now: number
}

export function listsOf({ open, answered, snoozes, now }: Read): Lists {
  const isSnoozed = (each: InboxQuestion) => snoozedUntil(snoozes, each, now) !== undefined
  return {
    waiting: open.filter(each => !isSnoozed(each)),
    snoozed: open.filter(isSnoozed),
    answered,
  }
}

export interface Selection {
  readonly thread: string
  readonly id: string
}

export const isSame = (a: Selection | undefined, b: Selection | undefined): boolean =>
  a !== undefined && a.thread === b?.thread && a.id === b.id

export const selectionIn = ({ thread, question }: Readonly<Record<string, string>>) =>
  thread === undefined || question === undefined ? undefined : { thread, id: question }

export const queryOf = (list: ListName, selected?: Selection): Record<string, string> => ({
  ...(list !== 'waiting' && { list }),
  ...(selected && { thread: selected.thread, question: selected.id }),
})

export const linkTo = (list: ListName, selected?: Selection): string =>
  hrefOf({ path: ['inbox'], query: queryOf(list, selected) })

/** The entry before or after the selected one, which may have left the list. */
export function neighbor<Entry extends Selection>(
  all: readonly Entry[],
  selected: Selection | undefined,
  step: 1 | -1,
): Entry | undefined {
  const place = all.findIndex(each => isSame(each, selected))
  return place < 0 ? all[0] : all[Math.min(all.length - 1, Math.max(0, place + step))]
}
