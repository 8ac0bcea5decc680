/** A grid over parameters of a scenario: each cell is the scenario with other values at some paths. */
import type { Fault } from '../../core/watch/data/fault.ts'
import { isMap, type Json, mapFields } from '../../core/watch/data/json.ts'

/** Values by their paths: `faults.storm.how.p`. */
export type Cell = Readonly<Record<string, Json>>

/** Every combination of the values, in order. One empty cell if nothing varies. */
export function cellsOf(vary: Readonly<Record<string, readonly Json[]>> = {}): readonly Cell[] {
  return Object.entries(vary).reduce<readonly Cell[]>(
    (cells, [path, values]) =>
      cells.flatMap(cell => values.map(value => ({ ...cell, [path]: value }))),
    [{}],
  )
}

export const cellText = (cell: Cell): string =>
  Object.entries(cell)
    .map(([path, value]) => `${path}=${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(', ')

/** The scenario as written, with the values of a cell. Paths that the scenario lacks are faults. */
export function withCell(
  scenario: Json,
  cell: Cell,
): { readonly value: Json; readonly faults: readonly Fault[] } {
  const faults: Fault[] = []
  const value = Object.entries(cell).reduce((whole, [path, inner]) => {
    const changed = setAt(whole, path.split('.'), inner)
    if (changed === undefined) faults.push({ path: `vary.${path}`, message: MISSING })
    return changed ?? whole
  }, scenario)
  return { value, faults }
}

const MISSING = 'the scenario has no value there; expected a path such as faults.ID.how.p'

/** In a list, the id of an item is its key. Absent if the path does not exist. */
function setAt(value: Json, [key, ...rest]: readonly string[], inner: Json): Json | undefined {
  if (key === undefined) return inner
  if (Array.isArray(value)) {
    const index = value.findIndex((item, place) =>
      isMap(item) && item.id !== undefined ? item.id === key : String(place) === key,
    )
    const changed = index < 0 ? undefined : setAt(value[index] as Json, rest, inner)
    return changed === undefined ? undefined : value.with(index, changed)
  }
  if (!isMap(value) || !Object.hasOwn(value, key)) return undefined
  const changed = setAt(value[key] as Json, rest, inner)
  return changed === undefined
    ? undefined
    : mapFields(value, (other, name) => (name === key ? changed : other))
}
