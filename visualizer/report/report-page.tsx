/** The report: a thread with its child threads, to read and to replay. */
import { useEffect, useState } from 'react'
import { readArchive } from '../src/data/archive-file.ts'
import { go, threadLink, useAddress } from '../src/data/route.ts'
import type { RunModel } from '../src/data/run-model.ts'
import { ErrorNotice, Field } from '../src/design/parts.tsx'
import { RunView } from '../src/screens/run/run-screen.tsx'
import { TopBar } from '../src/screens/top-bar.tsx'

export function ReportPage({ packed }: { readonly packed: string }) {
  const [models, setModels] = useState<readonly RunModel[]>()
  const [problem, setProblem] = useState<string>()
  useEffect(() => {
    readArchive(unpacked(packed)).then(setModels, error => setProblem((error as Error).message))
  }, [packed])
  return (
    <>
      <TopBar name="escapement report" readOnly>
        <Threads threads={models?.map(({ thread }) => thread) ?? []} />
      </TopBar>
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

function Threads({ threads }: { readonly threads: readonly string[] }) {
  const shown = useShown(threads)
  if (threads.length < 2) return null
  return (
    <Field label="Thread">
      <select value={shown} onChange={event => go(threadLink(event.target.value))}>
        {threads.map(thread => (
          <option key={thread}>{thread}</option>
        ))}
      </select>
    </Field>
  )
}

function unpacked(base64: string): Blob {
  return new Blob([Uint8Array.from(atob(base64.trim()), letter => letter.charCodeAt(0))])
}
