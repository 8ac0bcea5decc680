/** Chat messages of OpenAI, and of all who speak as it does. */
import type { Act } from '../../core/watch/act.ts'
import { type Conversing, contentText, said, saidByPerson, writtenArgs } from './conversation.ts'
import { type Fields, inside, listIn, mapAt, optionalIn, type Place, textIn } from './fields.ts'

export const OPENAI: Conversing = {
  list: 'messages',
  item: 'a message as {"role", "content"}',
  acts(place, message) {
    switch (textIn(place, message, 'role')) {
      case 'user':
        return saidByPerson(contentText(message.content))
      case 'assistant':
        return [
          ...said(contentText(message.content) || (optionalIn(place, message, 'refusal') ?? ''), message.name),
          ...listIn(place, message, 'tool_calls').map(([at, call]) => calledAt(at, mapAt(at, call, 'a call'))),
        ]
      case 'tool':
        return [{ act: 'answered', call: textIn(place, message, 'tool_call_id'), ok: null, text: contentText(message.content) }]
      default:
        return []
    }
  },
}

function calledAt(place: Place, call: Fields): Act {
  const kind = call.type === 'custom' ? 'custom' : 'function'
  const at = inside(place, kind)
  const asked = mapAt(at, call[kind], 'a call with its name')
  return { act: 'called', call: textIn(place, call, 'id'), tool: textIn(at, asked, 'name'), args: writtenArgs(asked[kind === 'custom' ? 'input' : 'arguments']) }
}
