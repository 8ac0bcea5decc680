/** Opens a journal file without a service: the same views, and no commands. */
import { useState } from 'react'
import { readArchive } from '../data/archive-file.ts'
import type { RunModel } from '../data/run-model.ts'
import { ErrorNotice, Field } from '../design/parts.tsx'
import { RunView } from './run/run-screen.tsx'

export function FileScreen() {
  const [models, setModels] = useState<readonly RunModel[]>([])
  const [shown, show] = useState<RunModel>()
  const [problem, setProblem] = useState<string>()
  const open = async (file: File | undefined) => {
    if (!file) return
    setProblem(undefined)
    try {
      const read = await readArchive(file)
      setModels(read)
      show(read[0])
    } catch (error) {
      setProblem((error as Error).message)
    }
  }
  return (
    <div className="file-screen">
      {!shown && (
        // biome-ignore lint/a11y/noStaticElementInteractions: dropping a file is a second way beside the field.
        <div
          className="screen drop"
          onDragOver={event => event.preventDefault()}
          onDrop={event => {
            event.preventDefault()
            void open(event.dataTransfer.files[0])
          }}
        >
          <h1>Open a file</h1>
          <p>
            Choose an archive, or drop it here.{' '}
            <code>escapement export THREAD --out run.jsonl</code> writes one. The file stays in this
            browser.
          </p>
          <Field label="Archive">
            <input
              type="file"
              accept=".jsonl,.ndjson,.gz,.json"
              onChange={event => void open(event.target.files?.[0])}
            />
          </Field>
        </div>
      )}
      {problem !== undefined && <ErrorNotice message={problem} />}
      {models.length > 1 && (
        <Field label="Thread">
          <select
            value={shown?.thread}
            onChange={event => show(models.find(({ thread }) => thread === event.target.value))}
          >
            {models.map(({ thread }) => (
              <option key={thread}>{thread}</option>
            ))}
          </select>
        </Field>
      )}
      {shown && <RunView key={shown.thread} model={shown} />}
    </div>
  )
}
