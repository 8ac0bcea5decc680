/** What a call is for, by the name of its tool and the beginning of its first argument: to search, to wait, or something else. */
import type { Json } from '../data/json.ts'
import { spacedName } from '../text/tool-name.ts'
import { afterPause } from './after-pause.ts'

export interface Aim {
  /** `seek`: an empty answer means that nothing was found. `wait`: the call waits. `poll`: it waits, and then runs a command. */
  readonly aim: 'seek' | 'wait' | 'poll' | 'other'
  /** The name of the tool says that it searches. A `query` may be an INSERT, which returns no rows. */
  readonly searches: boolean
  /** What a call does after its pause. */
  readonly work?: Json
}

/** The beginning of a name, or of a shell command. */
const SEEKS = /^(?:find|search|grep|rg|locate|which|look[_ ]?up|query)(?:_|\b)/i
/** Not `waitForElement` and `pauseCampaign`, which do more than wait. */
const WAITS = /^(?:sleep|wait|delay|pause)(?:_|\b)/i
/** A search by another command of a shell line. */
const PIPED = /(?:&&|;|\||\bgit)\s*(?:find|grep|rg|locate|which)\b/
const SEARCHES = /^(?:find|search|grep|look ?up)\b/i
/** `findOrCreateUser` writes. */
const WRITES = / (?:and|or) [a-z]/i
/** A search by the last word of a name: `web_search`, or by the last but one, before its vendor: `web_search_exa`. */
const SEARCH =
  /[a-z\d] (?:find|search|grep|look ?up)$|[a-z\d](?<!(?:^| )(?:add|build|cancel|clear|click|close|configure|create|delete|deploy|disable|enable|end|get|list|new|open|pause|put|rebuild|refresh|reindex|remove|reset|resume|run|save|set|share|start|stop|store|sync|update|write)) search [a-z\d]+$/i
/** The server of a tool: `mcp__wiki__searchPages`, `wiki.search_pages`. */
const SERVER = /^.*(?:__|[./:])(?=[^_./:])/

/** `first`: the first argument, if it is a text. */
export function aimOf(tool: string, first: string, args: Json): Aim {
  const name = spacedName(tool.replace(SERVER, ''))
  const isSearch = SEARCH.test(name) && !WRITES.test(name)
  const searches = isSearch || (SEARCHES.test(name) && !WRITES.test(name))
  if (isSearch || PIPED.test(first)) return { aim: 'seek', searches }
  const begins = (pattern: RegExp) => pattern.test(tool) || pattern.test(first)
  if (begins(SEEKS) || (SEEKS.test(name) && !WRITES.test(name))) return { aim: 'seek', searches }
  if (!begins(WAITS)) return { aim: 'other', searches }
  const work = afterPause(args)
  return work === undefined ? { aim: 'wait', searches } : { aim: 'poll', searches, work }
}
