/**
 * Reads what earlier versions have stored: rows, kept graphs, commands and shares, by the version in `thread.started`. Stored data
 * is never rewritten. A thread that began with an old version goes on with rows of new ones, so a step leaves new rows as they are.
 *
 * *Rejected:* one migration of the whole file. It takes minutes, changes what graphs are found by (their hashes), and does nothing
 * for archives.
 */
import type { Row } from '../../core/run.ts'
import type { Share } from '../../core/watch/budget/scope.ts'
import type { Json } from '../../core/watch/data/json.ts'
import { VERSION } from '../../core/watch/parts.ts'
import type { Command } from './person-event.ts'

type Fields = { readonly [key: string]: Json }
type Change = (value: Json) => Json

/** What changed with `version`. An absent part did not change. */
interface Step {
  readonly version: string
  readonly row?: Change
  readonly source?: Change
  readonly command?: Change
  readonly share?: Change
}

const DETECTORS = { silence: 'noToolCall', monologue: 'repeatedText', chant: 'degenerateOutput' }

const spent = renamed({ wall: 'duration' })
const detectors = renamed(DETECTORS)
const limits = all(spent, at('round', spent), at('scopes', each(spent)))
const policy = all(
  at('limits', limits),
  at('detect', all(detectors, at('tools', each(detectors)), at('nodes', each(detectors)))),
)

const detectorName = text(name => DETECTORS[name as keyof typeof DETECTORS] ?? name)
const limitName = text(name => name.replace(/(^|[. ])wall$/, '$1duration'))
const findingId = all(
  limitName,
  text(id => id.replace(/^(silence|monologue|chant) /, kind => `${detectorName(kind.trim())} `)),
)
const reason = all(detectorName, limitName)
/** A sentence of version 0.1.0 as a reason. */
const sentence: Change = of =>
  typeof of === 'string' ? { code: 'text', params: { text: of } } : of
const told = all(renamed({ summary: 'reason' }), at('reason', sentence))
const ended: Change = of =>
  isFields(of) && of.because === undefined && typeof of.reason === 'string'
    ? { ...of, because: sentence(of.reason), reason: reason(of.reason) }
    : of
const finding = all(
  told,
  renamed({ sure: 'confidence' }),
  at('kind', detectorName),
  at('detector', reason),
  at('id', findingId),
  at('burned', spent),
  of => (isFields(of) && of.kind === 'budget' ? at('members', each(limitName))(of) : of),
)

const scope = all(
  renamed({ fine: 'dismissed' }),
  at('spent', spent),
  at('loops', each(all(told, at('id', findingId), at('threads', each(told))))),
  at('held', told),
  at('dismissed', each(at('id', findingId))),
)
const decided = at(
  'decision',
  text(decision => (decision === 'fine' ? 'dismiss' : decision)),
)
const EVENTS: Readonly<Record<string, Change>> = {
  'thread.started': all(at('policy', policy), at('parent', at('limits', spent))),
  'policy.changed': all(at('policy', policy), at('change', policy)),
  'policy.change': at('change', policy),
  'child.started': at('reserved', spent),
  'child.done': all(at('spent', spent), at('reason', reason)),
  'scope.noted': scope,
  resume: decided,
  rolledBack: at('type', () => 'rollback.done'),
}
const event: Change = of =>
  isFields(of) && typeof of.type === 'string' && Object.hasOwn(EVENTS, of.type)
    ? (EVENTS[of.type] as Change)(of)
    : of

const nodes: Change = each(
  all(
    at('on', detectors),
    at('detect', detectors),
    at('regions', each(at('nodes', of => nodes(of)))),
  ),
)
const spec: Change = all(
  policy,
  at('nodes', nodes),
  at(
    'graphs',
    each(of => spec(of)),
  ),
)

const STEPS: readonly Step[] = [
  {
    version: '0.2.0',
    row: all(
      renamed({ broken: 'detectorErrors' }),
      at('event', event),
      at('findings', each(finding)),
      at(
        'verdict',
        all(
          at('because', each(finding)),
          at('considered', each(all(renamed({ why: 'reason' }), at('reason', sentence)))),
          at('route', at('reason', reason)),
        ),
      ),
      at('ended', ended),
    ),
    source: all(spec, at('spec', spec), at('library', each(spec))),
    command: event,
    share: all(scope, at('limits', spent), at('asks', all(told, at('id', findingId)))),
  },
]

/** Rows of a thread that began with `version`; absent: before versions were kept. */
export function upcastRows(version: string | undefined, rows: readonly Row[]): readonly Row[] {
  const change = changeSince(version, 'row')
  return change ? rows.map(row => change(row as unknown as Json) as unknown as Row) : rows
}

/** The kept graph of a thread that began with `version`. */
export function upcastSource(version: string | undefined, source: Json): Json {
  return changeSince(version, 'source')?.(source) ?? source
}

/** A command that waits in an inbox. It says no version. */
export function upcastCommand(command: Command): Command {
  return upcastAny('command', command)
}

/** A share. It says no version. */
export function upcastShare(share: Share): Share {
  return upcastAny('share', share)
}

function upcastAny<T>(part: 'command' | 'share', value: T): T {
  const change = changeSince(undefined, part)
  return (change ? change(value as unknown as Json) : value) as T
}

function changeSince(
  version: string | undefined,
  part: Exclude<keyof Step, 'version'>,
): Change | undefined {
  if (version === VERSION) return undefined
  const changes = STEPS.flatMap(step =>
    step[part] && isBefore(version ?? '0', step.version) ? [step[part]] : [],
  )
  return changes.length > 0 ? all(...changes) : undefined
}

function isBefore(version: string, other: string): boolean {
  const [one, two] = [version, other].map(each => each.split('.').map(Number))
  const place = (two ?? []).findIndex((number, index) => number !== (one?.[index] ?? 0))
  return place >= 0 && (one?.[place] ?? 0) < (two?.[place] ?? 0)
}

function isFields(value: Json | undefined): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function all(...changes: readonly Change[]): Change {
  return value => changes.reduce((changed, change) => change(changed), value)
}

function at(key: string, change: Change): Change {
  return value => {
    if (!isFields(value) || value[key] === undefined) return value
    const changed = change(value[key])
    return changed === value[key] ? value : { ...value, [key]: changed }
  }
}

/** Every item of a list, or every value of a map. */
function each(change: Change): Change {
  return value =>
    Array.isArray(value)
      ? value.map(change)
      : isFields(value)
        ? Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, change(inner)]))
        : value
}

function text(change: (value: string) => string): Change {
  return value => (typeof value === 'string' ? change(value) : value)
}

/** Keys with new names, in their places. */
function renamed(names: Readonly<Record<string, string>>): Change {
  return value =>
    isFields(value) && Object.keys(names).some(name => Object.hasOwn(value, name))
      ? Object.fromEntries(
          Object.entries(value).map(([key, inner]) => [
            Object.hasOwn(names, key) ? (names[key] as string) : key,
            inner,
          ]),
        )
      : value
}
