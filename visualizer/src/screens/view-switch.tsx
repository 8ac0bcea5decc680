/** The two views of a machine: its drawing, and its outline. */
import { setQuery } from '../data/route.ts'

type View = 'drawing' | 'outline'

/** On a phone, the whole drawing is too small to read. */
const defaultView = (): View => (innerWidth <= PHONE ? 'outline' : 'drawing')

const PHONE = 720

/** The view that an address names. */
export const viewIn = (named: string | undefined): View =>
  named === 'outline' || named === 'drawing' ? named : defaultView()

export const ViewSwitch = ({ view }: { readonly view: View }) => (
  <fieldset className="switch">
    <legend className="visually-hidden">View of the machine</legend>
    {(['drawing', 'outline'] as const).map(id => (
      <label key={id}>
        <input
          type="radio"
          name="view"
          checked={view === id}
          onChange={() => setQuery({ view: id === defaultView() ? undefined : id })}
        />
        <span>{id === 'drawing' ? 'Drawing' : 'Outline'}</span>
      </label>
    ))}
  </fieldset>
)
