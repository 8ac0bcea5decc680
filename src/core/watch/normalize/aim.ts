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
const AIM =
  /^(?:(find|search|grep|rg|locate|which|look[_ ]?up|query)|sleep|wait|delay|pause)(?:_|\b)/i
/** A search by another command of a shell line. */
const PIPED = /(?:&&|;|\||\bgit)\s*(?:find|grep|rg|locate|which)\b/
const SEARCHES = /^(?:find|search|grep|look ?up)\b/i
/** A search by the last word of a name: `web_search`, or by the last but one, before its vendor: `web_search_exa`. */
const SEARCH =
  /[a-z\d] (?:find|search|grep|look ?up)$|[a-z\d](?<!(?:^| )(?:add|build|cancel|clear|close|configure|create|delete|disable|enable|end|get|list|new|open|put|remove|reset|run|save|set|share|start|stop|store|sync|update|write)) search [a-z\d]+$/i
/** The server of a tool: `mcp__wiki__searchPages`, `wiki.search_pages`. */
const SERVER = /^.*(?:__|[./:])(?=[^_./:])/

/** `first`: the first argument, if it is a text. */
export function aimOf(tool: string, first: string, args: Json): Aim {
  const names = [spacedName(tool), spacedName(tool.replace(SERVER, ''))]
  const isSearch = names.some(name => SEARCH.test(name))
  const searches = isSearch || names.some(name => SEARCHES.test(name))
  if (isSearch || PIPED.test(first)) return { aim: 'seek', searches }
  const found = [...names, first].map(text => AIM.exec(text)).find(match => match !== null)
  if (!found) return { aim: 'other', searches }
  if (found[1] !== undefined) return { aim: 'seek', searches }
  const work = afterPause(args)
  return work === undefined ? { aim: 'wait', searches } : { aim: 'poll', searches, work }
}
