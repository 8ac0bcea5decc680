/** The name of a state that selects it in the drawing. */
import { setQuery } from '../../data/route.ts'

export const StateButton = ({ state, name }: { readonly state: string; readonly name: string }) => (
  <button type="button" className="state-link" onClick={() => setQuery({ sel: state })}>
    {name}
  </button>
)
