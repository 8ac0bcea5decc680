/** The page until its script has run. The build writes it into the HTML. */
import { Bar, Places } from './bar.tsx'

export const Shell = () => (
  <>
    <Bar name="escapement" home="#/threads">
      <Places />
    </Bar>
    <main>
      <p className="muted loading">Loading…</p>
    </main>
  </>
)
