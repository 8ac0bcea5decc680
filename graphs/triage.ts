/** A graph written for LangGraph: it sorts a ticket, and looks for an answer until one is found. `watched` ends its loop. */
import { Annotation, END, START, StateGraph } from '@langchain/langgraph'

const State = Annotation.Root({
  ticket: Annotation<string>(),
  kind: Annotation<'bill' | 'other'>(),
  answer: Annotation<string>(),
})

const ANSWERS: Readonly<Record<string, string>> = { refund: 'We pay it back within a week.' }

export const triage = new StateGraph(State)
  .addNode(
    'sort',
    ({ ticket }) => ({ kind: /bill|refund/.test(ticket) ? 'bill' : 'other' }) as const,
  )
  .addNode('search', ({ ticket }) => {
    const [, answer = ''] = Object.entries(ANSWERS).find(([word]) => ticket.includes(word)) ?? []
    return { answer }
  })
  .addNode('handOver', () => ({ answer: 'A colleague will write to you.' }))
  .addEdge(START, 'sort')
  .addConditionalEdges('sort', ({ kind }) => (kind === 'bill' ? 'search' : 'handOver'), [
    'search',
    'handOver',
  ])
  .addConditionalEdges('search', ({ answer }) => (answer === '' ? 'sort' : END), ['sort', END])
  .addEdge('handOver', END)
  .compile()
