/** The conversation up to the event that is looked at, with the tokens and the money of each answer. */
import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useRef } from 'react'
import type { Message } from '../../data/messages.ts'
import { countUntil } from '../../data/sorted.ts'
import { useModel, useRun } from '../../data/use-run.ts'
import { cutText, lineText, moneyText, numberText } from '../../design/format.ts'
import { Icon, type IconName } from '../../design/icon.tsx'
import { Notice, Tag, ScrollRegion } from '../../design/parts.tsx'

const TEXT_MAX = 4_000

export function MessagesTab() {
  const model = useModel()
  const at = useRun(({ at }) => at)
  const { messages } = model
  const count = countUntil(messages, at, ({ seq }) => seq)
  const list = useRef<HTMLElement>(null)
  const virtual = useVirtualizer({
    count,
    getScrollElement: () => list.current,
    estimateSize: () => 90,
    overscan: 6,
  })
  useEffect(() => {
    if (count > 0) virtual.scrollToIndex(count - 1, { align: 'end' })
  }, [count, virtual])
  if (count === 0)
    return (
      <Notice title="No messages">
        <p>No model and no tool has answered up to this event.</p>
      </Notice>
    )
  return (
    <ScrollRegion className="messages" ref={list} label="Messages">
      <ol style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map(({ index, key, start }) => {
          const message = messages[index]
          if (!message) return null
          return (
            <li
              key={key}
              ref={virtual.measureElement}
              data-index={index}
              style={{ transform: `translateY(${start}px)` }}
              aria-posinset={index + 1}
              aria-setsize={count}
            >
              <Bubble message={message} />
            </li>
          )
        })}
      </ol>
    </ScrollRegion>
  )
}

const ICONS: Readonly<Record<Message['from'], IconName>> = {
  input: 'send',
  model: 'model',
  tool: 'tools',
  person: 'person',
  watchdog: 'loop',
}

function Bubble({ message }: { readonly message: Message }) {
  const model = useModel()
  const { from, name, text, calls, usage, reasoning, failed, seq } = message
  return (
    <article className={`message is-${from} ${failed ? 'is-failed' : ''}`}>
      <header>
        <Icon name={ICONS[from]} />
        <b>{name}</b>
        {failed && <Tag tone="bad">{failed}</Tag>}
        <button type="button" className="link" onClick={() => model.seek(seq)}>
          event {seq}
        </button>
        {usage && (
          <span className="muted">
            {numberText(usage.input)} in · {numberText(usage.output)} out · {moneyText(usage.usd)}
            {usage.estimated && ' estimated'}
          </span>
        )}
      </header>
      {reasoning && (
        <details>
          <summary>Reasoning</summary>
          <p className="message-text">{cutText(reasoning, TEXT_MAX)}</p>
        </details>
      )}
      {text !== '' && <p className="message-text">{cutText(text, TEXT_MAX)}</p>}
      {calls.map(({ tool, args }) => (
        <p key={`${tool} ${JSON.stringify(args)}`} className="message-call">
          <Icon name="tools" /> <b>{tool}</b> <code>{lineText(args, 400)}</code>
        </p>
      ))}
    </article>
  )
}
