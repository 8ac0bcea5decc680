/**
 * Reads what earlier versions have stored: rows, graphs, commands and shares, by the version in `thread.started`. Stored data is
 * never rewritten. A thread of an old version continues with rows of the new one, so a step leaves new rows as they are.
 *
 * *Rejected:* one migration of the whole file. It takes minutes, changes the hashes of graphs, and does not cover archives.
 */
import type { Row } from '../../core/run/run.ts'
import type { Share } from '../../core/watch/budget/scope.ts'
import { type Json, isMap } from '../../core/watch/data/json.ts'
import { VERSION } from '../../core/watch/parts.ts'
import type { Command } from './person-event.ts'

type Change = (value: Json) => Json

/** The changes of one version, by what they apply to. */
interface Step extends Readonly<Record<'row' | 'source' | 'command' | 'share', Change>> {
  readonly version: string
}

const DETECTORS = { silence: 'noToolCall', monologue: 'repeatedText', chant: 'degenerateOutput' }

const spent = rename({ wall: 'duration' })
const detectors = rename(DETECTORS)
const limits = all(spent, fields({ round: spent, scopes: each(spent) }))
const detect = all(detectors, fields({ tools: each(detectors), nodes: each(detectors) }))
const policy = fields({ limits, detect })

const detectorName = text(name => DETECTORS[name as keyof typeof DETECTORS] ?? name)
const limitName = text(name => name.replace(/(^|[. ])wall$/, '$1duration'))
const findingId = all(
  limitName,
  text(id => id.replace(/^(silence|monologue|chant) /, kind => `${detectorName(kind.trim())} `)),
)
const reasonCode = all(detectorName, limitName)
/** Turns a sentence of version 0.1.0 into a reason. */
const reason: Change = of => (typeof of === 'string' ? { code: 'text', params: { text: of } } : of)
const withReason = all(rename({ summary: 'reason' }), fields({ reason }))
const ended: Change = of =>
  isMap(of) && of.because === undefined && typeof of.reason === 'string'
    ? { ...of, because: reason(of.reason), reason: reasonCode(of.reason) }
    : of
const finding = all(
  withReason,
  rename({ sure: 'confidence' }),
  fields({ kind: detectorName, detector: reasonCode, id: findingId, burned: spent }),
  of => (isMap(of) && of.kind === 'budget' ? fields({ members: each(limitName) })(of) : of),
)
const loop = all(withReason, fields({ id: findingId, threads: each(withReason) }))
const scope = all(
  rename({ fine: 'dismissed' }),
  fields({
    spent,
    loops: each(loop),
    held: withReason,
    dismissed: each(fields({ id: findingId })),
  }),
)

const EVENTS: Readonly<Record<string, Change>> = {
  'thread.started': fields({ policy, parent: fields({ limits: spent }) }),
  'policy.changed': fields({ policy, change: policy }),
  'policy.change': fields({ change: policy }),
  'child.started': fields({ reserved: spent }),
  'child.done': fields({ spent, reason: reasonCode }),
  'scope.noted': scope,
  resume: fields({ decision: text(decision => (decision === 'fine' ? 'dismiss' : decision)) }),
  rolledBack: fields({ type: () => 'rollback.done' }),
}
const event: Change = of =>
  isMap(of) && typeof of.type === 'string' && Object.hasOwn(EVENTS, of.type)
    ? (EVENTS[of.type] as Change)(of)
    : of

const considered = all(rename({ why: 'reason' }), fields({ reason }))
const verdict = fields({
  because: each(finding),
  considered: each(considered),
  route: fields({ reason: reasonCode }),
})
const nodes: Change = each(
  fields({ on: detectors, detect: detectors, regions: each(fields({ nodes: of => nodes(of) })) }),
)
const spec: Change = all(policy, fields({ nodes, graphs: each(of => spec(of)) }))

const STEPS: readonly Step[] = [
  {
    version: '0.2.0',
    row: all(
      rename({ broken: 'detectorErrors' }),
      fields({ event, findings: each(finding), verdict, ended }),
    ),
    source: all(spec, fields({ spec, library: each(spec) })),
    command: event,
    share: all(scope, fields({ limits: spent, asks: all(withReason, fields({ id: findingId })) })),
  },
]

/** The rows of a thread that began with `version`; absent: before rows had a version. */
export function upcastRows(version: string | undefined, rows: readonly Row[]): readonly Row[] {
  const upcast = rowUpcast(version)
  return upcast ? rows.map(upcast) : rows
}

/** Changes a row of a thread that began with `version`; `undefined` if such rows stay as they are. */
export function rowUpcast(version: string | undefined): ((row: Row) => Row) | undefined {
  const change = changeSince(version, 'row')
  return change && (row => change(row as unknown as Json) as unknown as Row)
}

/** The stored graph of a thread that began with `version`. */
export const upcastSource = (version: string | undefined, source: Json): Json =>
  changeSince(version, 'source')?.(source) ?? source

/** A command in an inbox. Commands carry no version. */
export function upcastCommand(command: Command): Command {
  const change = changeSince(undefined, 'command')
  return (change?.(command as unknown as Json) ?? command) as Command
}

/** A stored share. Shares carry no version. */
export function upcastShare(share: Share): Share {
  const change = changeSince(undefined, 'share')
  return (change?.(share as unknown as Json) ?? share) as unknown as Share
}

/** Equal for versions whose stored data is read alike, whatever text a forged one is. */
export const upcastKey = (version: string | undefined): string =>
  stepsSince(version)[0]?.version ?? ''

function changeSince(
  version: string | undefined,
  part: Exclude<keyof Step, 'version'>,
): Change | undefined {
  const changes = stepsSince(version).map(step => step[part])
  return changes.length > 0 ? all(...changes) : undefined
}

const stepsSince = (version = '0'): readonly Step[] =>
  version === VERSION
    ? []
    : STEPS.filter(step => version.localeCompare(step.version, 'en', { numeric: true }) < 0)

function all(...changes: readonly Change[]): Change {
  return value => changes.reduce((changed, change) => change(changed), value)
}

/** Changes fields of an object by name. */
function fields(changes: Readonly<Record<string, Change>>): Change {
  return all(...Object.entries(changes).map(([key, change]) => field(key, change)))
}

function field(key: string, change: Change): Change {
  return value => {
    if (!isMap(value) || value[key] === undefined) return value
    const changed = change(value[key])
    return changed === value[key] ? value : { ...value, [key]: changed }
  }
}

/** Changes every item of a list, or every value of a map. */
function each(change: Change): Change {
  return value => {
    if (Array.isArray(value)) return value.map(change)
    if (!isMap(value)) return value
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, change(inner)]))
  }
}

function text(change: (value: string) => string): Change {
  return value => (typeof value === 'string' ? change(value) : value)
}

/** Renames keys in place. */
function rename(names: Readonly<Record<string, string>>): Change {
  const renamed = new Map(Object.entries(names))
  return value => {
    if (!isMap(value) || !Object.keys(value).some(key => renamed.has(key))) return value
    const entries = Object.entries(value).map(([key, inner]) => [renamed.get(key) ?? key, inner])
    return Object.fromEntries(entries)
  }
}
