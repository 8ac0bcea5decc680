/** The report: a thread with its child threads, to read and to replay. */
import { useEffect, useState } from 'react'
import { readArchive } from '../src/data/archive-file.ts'
import { go, threadLink, useAddress } from '../src/data/route.ts'
import type { RunModel } from '../src/data/run-model.ts'
import { Icon } from '../src/design/icon.tsx'
import { ErrorNotice, Field } from '../src/design/parts.tsx'
import { useTheme } from '../src/design/theme.ts'
import { RunView } from '../src/screens/run/run-screen.tsx'
import { ShortcutsDialog } from '../src/screens/shortcuts.tsx'

export function ReportPage({ packed }: { readonly packed: string }) {
  const [models, setModels] = useState<readonly RunModel[]>()
  const [problem, setProblem] = useState<string>()
  useEffect(() => {
    readArchive(unpacked(packed)).then(setModels, error => setProblem((error as Error).message))
  }, [packed])
  return (
    <>
      <TopBar threads={models?.map(({ thread }) => thread) ?? []} />
      <main id="main" tabIndex={-1}>
        {problem !== undefined && <ErrorNotice message={problem} />}
        {models ? (
          <Thread models={models} />
        ) : (
          problem === undefined && <p className="muted loading">Unpacking the journal…</p>
        )}
      </main>
    </>
  )
}

function Thread({ models }: { readonly models: readonly RunModel[] }) {
  const shown = useShown(models.map(({ thread }) => thread))
  const model = models.find(({ thread }) => thread === shown)
  useEffect(() => {
    document.title = `${shown} · escapement report`
  }, [shown])
  return model ? <RunView key={model.thread} model={model} /> : null
}

/** The thread of the address, or the first one of the file. */
function useShown(threads: readonly string[]): string | undefined {
  const [, named] = useAddress().path
  return threads.find(thread => thread === named) ?? threads[0]
}

function TopBar({ threads }: { readonly threads: readonly string[] }) {
  const { theme, next } = useTheme()
  const [help, setHelp] = useState(false)
  const shown = useShown(threads)
  useHelpKey(() => setHelp(true))
  return (
    <header className="top-bar">
      <span className="brand">
        <Icon name="loop" /> escapement report
      </span>
      {threads.length > 1 && (
        <Field label="Thread">
          <select value={shown} onChange={event => go(threadLink(event.target.value))}>
            {threads.map(thread => (
              <option key={thread}>{thread}</option>
            ))}
          </select>
        </Field>
      )}
      <span className="top-actions">
        <button type="button" className="button is-plain is-square" onClick={next}>
          <Icon name="sun" label={`Theme: ${theme}. Change it`} />
        </button>
        <button type="button" className="button is-plain is-square" onClick={() => setHelp(true)}>
          <Icon name="help" label="Keyboard shortcuts" />
        </button>
      </span>
      {help && <ShortcutsDialog readOnly onClose={() => setHelp(false)} />}
    </header>
  )
}

function useHelpKey(open: () => void): void {
  useEffect(() => {
    const press = ({ key, target }: KeyboardEvent) => {
      if (key === '?' && !(target instanceof Element && target.matches('input, select'))) open()
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  })
}

function unpacked(base64: string): Blob {
  return new Blob([Uint8Array.from(atob(base64.trim()), letter => letter.charCodeAt(0))])
}
