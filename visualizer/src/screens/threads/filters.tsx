/** The filters and the grouping of the threads. Each is a part of the address. */
import { setQuery, useAddress } from '../../data/route.ts'
import { Field } from '../../design/parts.tsx'
import { FINDINGS, GROUPINGS, OUTCOMES, STATUSES } from './list-query.ts'

/** Another filter begins with the first threads again. */
const change = (key: string, value: string) =>
  setQuery({ [key]: value || undefined, show: undefined })

export function Filters() {
  const { query } = useAddress()
  return (
    <div className="filters">
      <Field label="Name begins with">
        <input
          value={query.prefix ?? ''}
          onChange={event => change('prefix', event.target.value)}
        />
      </Field>
      <Choice label="Status" name="status" all="all" options={STATUSES} />
      <Choice label="Outcome" name="outcome" all="all" options={OUTCOMES} />
      <Choice label="Loop" name="loop" all="all" options={FINDINGS} />
      <Field label="Cost from $">
        <input
          type="number"
          min="0"
          step="any"
          value={query.cost ?? ''}
          onChange={event => change('cost', event.target.value)}
        />
      </Field>
      <Choice label="Group by" name="group" options={GROUPINGS} />
    </div>
  )
}

interface ChoiceProps {
  readonly label: string
  readonly name: string
  /** The text of no choice. Absent: the first option is the default. */
  readonly all?: string
  readonly options: readonly string[]
}

function Choice({ label, name, all, options }: ChoiceProps) {
  const { query } = useAddress()
  const [first] = options
  const none = all === undefined ? first : undefined
  return (
    <Field label={label}>
      <select
        value={query[name] ?? none ?? ''}
        onChange={({ target: { value } }) => change(name, value === none ? '' : value)}
      >
        {all !== undefined && <option value="">{all}</option>}
        {options.map(option => (
          <option key={option}>{option}</option>
        ))}
      </select>
    </Field>
  )
}
