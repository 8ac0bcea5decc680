/** Starts the page. */
import '@xyflow/react/dist/base.css'
import './design/tokens.css'
import './design/base.css'
import './design/run.css'
import './design/drawing.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app.tsx'
import { openSession } from './data/service.ts'

await openSession()
const root = document.getElementById('root')
if (root)
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  )
