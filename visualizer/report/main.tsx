/** Starts the page of `escapement report`: the threads that the file itself holds, and no service. */
import '../src/design/styles.ts'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { ReportPage } from './report-page.tsx'

const root = document.getElementById('root')
if (root)
  createRoot(root).render(
    <StrictMode>
      <ReportPage packed={document.getElementById('journal')?.textContent ?? ''} />
    </StrictMode>,
  )
