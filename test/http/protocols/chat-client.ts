/** A chat of the AI SDK without a front end framework. */
import {
  AbstractChat,
  type ChatState,
  type ChatStatus,
  DefaultChatTransport,
  lastAssistantMessageIsCompleteWithApprovalResponses,
  type UIMessage,
} from 'ai'

/** The state that a front end framework would render. */
class State implements ChatState<UIMessage> {
  status: ChatStatus = 'ready'
  error: Error | undefined = undefined
  messages: UIMessage[] = []
  pushMessage = (message: UIMessage) => void this.messages.push(message)
  popMessage = () => void this.messages.pop()
  replaceMessage = (index: number, message: UIMessage) => {
    this.messages[index] = message
  }
  snapshot = <T>(value: T): T => structuredClone(value)
}

export class Chat extends AbstractChat<UIMessage> {}

export function chatWith(url: string, { id = 'one', key = 'key-operate', body = {} } = {}) {
  return new Chat({
    id,
    state: new State(),
    transport: new DefaultChatTransport({
      api: `${url}/chat`,
      headers: { authorization: `Bearer ${key}` },
      body,
    }),
    sendAutomaticallyWhen: lastAssistantMessageIsCompleteWithApprovalResponses,
  })
}

export const partsOf = (chat: Chat) =>
  chat.messages.at(-1)?.parts.map(part => {
    const { type, text, state, output } = part as Record<string, unknown>
    return [type, text ?? state, output].filter(each => each !== undefined)
  })

export async function untilReady(chat: Chat) {
  do await new Promise(resolve => setTimeout(resolve, 20))
  while (chat.status !== 'ready' && chat.status !== 'error')
}
