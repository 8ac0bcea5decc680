/** Links to what explains a question: the tabs of its thread, at the event that asked it. */
import { threadLink } from '../../data/route.ts'

const TABS = [
  { tab: undefined, name: 'Loop' },
  { tab: 'state', name: 'State and changes' },
  { tab: 'messages', name: 'Messages' },
] as const

interface ContextLinksProps {
  readonly thread: string
  /** The event that asked. */
  readonly at: number
}

export const ContextLinks = ({ thread, at }: ContextLinksProps) => (
  <nav className="context-links" aria-label="Context of the question">
    <span className="muted">At event {at}:</span>
    {TABS.map(({ tab, name }) => (
      <a key={name} href={threadLink(thread, { at: String(at), ...(tab && { tab }) })}>
        {name}
      </a>
    ))}
  </nav>
)
