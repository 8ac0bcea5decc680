/** Chooses what the fill of the states shows. */
import { setQuery, useQuery } from '../data/route.ts'
import { type Heat, HEATS, heatIn } from '../drawing/heat.ts'

export const setHeat = (heat: Heat): void =>
  setQuery({ heat: heat === 'visits' ? undefined : heat })

/** The heat after the present one. */
export function nextHeat(named: string | undefined): Heat {
  const place = HEATS.indexOf(heatIn(named))
  return HEATS[(place + 1) % HEATS.length] ?? 'visits'
}

export const HeatSelect = () => {
  const heat = heatIn(useQuery('heat'))
  return (
    <label className="heat-select">
      <span>Heat</span>
      <select value={heat} onChange={event => setHeat(event.target.value as Heat)}>
        {HEATS.map(each => (
          <option key={each}>{each}</option>
        ))}
      </select>
    </label>
  )
}
