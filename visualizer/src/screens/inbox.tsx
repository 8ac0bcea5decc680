/** The questions of all threads: those that wait, those put off, and those answered lately. The selected one is beside the list. */
import { useCallback, useEffect, useState } from 'react'
import type { InboxQuestion } from '../../../src/host/overview.ts'
import { addressNow, setQuery, threadLink, useAddress } from '../data/route.ts'
import { problemText, service } from '../data/service.ts'
import { snoozedUntil, useSnoozes } from '../data/snoozes.ts'
import { useNow } from '../data/use-now.ts'
import { ErrorNotice, Loading, Notice } from '../design/parts.tsx'
import { ClosedCard, DecidedCard } from './inbox/decided-card.tsx'
import { isSame, linkTo, LISTS, listsOf, neighbor, queryOf, selectionIn } from './inbox/entries.ts'
import type { ListName, Lists, Selection } from './inbox/entries.ts'
import { QuestionList } from './inbox/question-list.tsx'
import { SnoozeBar } from './inbox/snooze-bar.tsx'
import { useInboxKeys } from './inbox/use-inbox-keys.ts'
import { useThreadCommands } from './run/commands.ts'
import { ContextLinks } from './run/context-links.tsx'
import { QuestionCard } from './run/question-card.tsx'
import { usePolled } from './use-polled.ts'

const OPEN_EVERY_MS = 2_000
const ANSWERED_EVERY_MS = 10_000
const SECOND = 1_000

export function InboxScreen() {
  const { query } = useAddress()
  const open = usePolled(
    useCallback(() => service.questions(), []),
    OPEN_EVERY_MS,
  )
  const answered = usePolled(
    useCallback(() => service.answered(), []),
    ANSWERED_EVERY_MS,
  )
  const snoozes = useSnoozes()
  const now = useNow(SECOND)
  const list = LISTS.find(name => name === query.list) ?? 'waiting'
  const lists = listsOf({ open: open.value ?? [], answered: answered.value ?? [], snoozes, now })
  const selected = selectionIn(query) ?? lists[list][0]
  const asked = open.value?.find(each => isSame(each, selected))
  const seen = useLastSeen(asked)
  useEffect(() => {
    // The first question stays on the screen also when another one becomes the first. A key may have selected another one since the page was rendered.
    if (selected && !selectionIn(addressNow().query)) setQuery(queryOf(list, selected))
  }, [list, selected])
  const isGone = open.value !== undefined && selected !== undefined && asked === undefined
  // biome-ignore lint/correctness/useExhaustiveDependencies: a question that is gone has an answer now.
  useEffect(() => {
    if (isGone) answered.again()
  }, [isGone, selected?.thread, selected?.id])
  const move = (step: 1 | -1) => {
    // Two keys may come before the page renders again.
    const from = selectionIn(addressNow().query) ?? selected
    const next = neighbor<Selection>(lists[list], from, step)
    if (next) setQuery(queryOf(list, next))
  }
  useInboxKeys({ J: () => move(1), K: () => move(-1) })
  const { problem, again } = list === 'answered' ? answered : open
  return (
    <div className="screen inbox">
      <header className="screen-header">
        <h1>Inbox</h1>
        <ListLinks current={list} lists={lists} isRead={open.value !== undefined} />
      </header>
      {problem !== undefined && <ErrorNotice message={problemText(problem)} retry={again} />}
      {open.value === undefined && problem === undefined && <Loading />}
      {open.value && lists[list].length === 0 && <EmptyList name={list} />}
      <div className="inbox-panes">
        <QuestionList {...{ name: list, entries: lists[list], selected, snoozes, now }} />
        {selected && open.value && (
          <section className="inbox-selected" aria-label="Selected question">
            {asked ? (
              <OpenQuestion
                key={`${asked.thread} ${asked.id}`}
                question={asked}
                until={snoozedUntil(snoozes, asked, now)}
                now={now}
                again={() => {
                  open.again()
                  answered.again()
                }}
              />
            ) : (
              <Gone {...{ selected, seen, answered: answered.value, now }} />
            )}
          </section>
        )}
      </div>
    </div>
  )
}

/** The open question that was selected last, for when it is gone. */
function useLastSeen(asked: InboxQuestion | undefined): InboxQuestion | undefined {
  const [seen, setSeen] = useState(asked)
  useEffect(() => {
    if (asked) setSeen(asked)
  }, [asked])
  return seen
}

interface GoneProps {
  readonly selected: Selection
  readonly seen: InboxQuestion | undefined
  readonly answered: Lists['answered'] | undefined
  readonly now: number
}

function Gone({ selected, seen, answered, now }: GoneProps) {
  const answer = answered?.find(each => isSame(each, selected))
  if (answer) return <DecidedCard answer={answer} now={now} />
  if (answered === undefined) return <Loading />
  const question = isSame(seen, selected) ? seen : undefined
  return <ClosedCard question={question} thread={selected.thread} now={now} />
}

interface ListLinksProps {
  readonly current: ListName
  readonly lists: Lists
  readonly isRead: boolean
}

const ListLinks = ({ current, lists, isRead }: ListLinksProps) => (
  <nav className="list-links" aria-label="Lists of questions">
    {LISTS.map(name => (
      <a key={name} href={linkTo(name)} aria-current={name === current ? 'page' : undefined}>
        {name} {isRead && <span className="count">{lists[name].length}</span>}
      </a>
    ))}
  </nav>
)

function EmptyList({ name }: { readonly name: ListName }) {
  if (name === 'snoozed') return <Notice title="No question is snoozed in this browser" />
  const others = 'Questions of graphs that this service does not hold are not listed.'
  if (name === 'answered')
    return (
      <Notice title="No question was answered lately">
        <p>{others}</p>
      </Notice>
    )
  return (
    <Notice title="Nothing waits for a person">
      <p>
        Questions appear here when a node, a tool with <code>confirm</code>, or the review rung asks
        one. {others}
      </p>
    </Notice>
  )
}

interface OpenQuestionProps {
  readonly question: InboxQuestion
  readonly until: number | undefined
  readonly now: number
  readonly again: () => void
}

function OpenQuestion({ question, until, now, again }: OpenQuestionProps) {
  const commands = useThreadCommands(question.thread, again)
  const { thread, graph, asked } = question
  return (
    <>
      <p>
        <a href={threadLink(thread)}>{thread}</a> <span className="muted">{graph}</span>
      </p>
      <SnoozeBar question={question} until={until} now={now} />
      <QuestionCard question={question} commands={commands} hasKeys />
      <ContextLinks thread={thread} at={asked} />
      <p className={`command-result ${commands.message?.isError ? 'is-error' : ''}`} role="status">
        {commands.message?.text}
      </p>
    </>
  )
}
