/** The support agent with the AI SDK; its history is a file, because the SDK stores none. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { openai } from '@ai-sdk/openai'
import { isStepCount, type ModelMessage, streamText, tool } from 'ai'
import { z } from 'zod'
import { findOrder, payBack, searchFaq } from './shop.ts'

const tools = {
  search_faq: tool({
    description: 'Searches the FAQ.',
    inputSchema: z.object({ query: z.string() }),
    execute: ({ query }) => searchFaq(query),
  }),
  find_order: tool({
    description: 'Finds an order by its number.',
    inputSchema: z.object({ order: z.string() }),
    execute: ({ order }, { abortSignal }) => findOrder(order, abortSignal),
  }),
  refund: tool({
    description: 'Refunds an order.',
    inputSchema: z.object({ order: z.string(), amount: z.number() }),
    needsApproval: ({ amount }) => amount > 100,
    execute: ({ order, amount }, { toolCallId }) => payBack(order, amount, toolCallId),
  }),
}
const fileOf = (thread: string) => `${thread}.json`
const messagesOf = (thread: string): ModelMessage[] =>
  existsSync(fileOf(thread)) ? JSON.parse(readFileSync(fileOf(thread), 'utf8')) : []

/** The open approvals, and whether the agent has work left. */
export function stateOf(thread: string, messages = messagesOf(thread)) {
  const parts = messages.flatMap(({ content }) =>
    typeof content === 'string' ? [] : (content as { type: string; approvalId: string }[]),
  )
  const answers = parts.filter(({ type }) => type === 'tool-approval-response')
  const questions = parts.filter(
    ({ type, approvalId }) =>
      type === 'tool-approval-request' && !answers.some(answer => answer.approvalId === approvalId),
  )
  const ended = messages.at(-1)?.role === 'assistant' && parts.at(-1)?.type === 'text'
  return { status: questions.length > 0 ? 'waiting' : ended ? 'ended' : 'active', questions }
}

/** Starts or continues a thread, answers its open question, and yields text as it streams. */
export async function* converse(thread: string, message: string, answer?: string) {
  const messages = messagesOf(thread)
  const save = () => writeFileSync(fileOf(thread), JSON.stringify(messages))
  if (message && messages.length === 0) messages.push({ role: 'user', content: message })
  for (const { approvalId } of answer ? stateOf(thread, messages).questions : []) {
    const approved = answer === 'approved'
    messages.push({
      role: 'tool',
      content: [{ type: 'tool-approval-response', approvalId, approved }],
    })
  }
  save()
  if (stateOf(thread, messages).status === 'active') {
    const { textStream } = streamText({
      model: openai.chat('gpt-4o-mini'),
      instructions: 'You are the support agent of a shop for clocks.',
      messages: [...messages],
      tools,
      stopWhen: isStepCount(20),
      onStepEnd: ({ response }) => {
        messages.push(...response.messages)
        save()
      },
    })
    yield* textStream
  }
  for (const { approvalId } of stateOf(thread, messages).questions)
    yield `\n? ${approvalId} needs an approval\n`
}
