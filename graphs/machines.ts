/** The statecharts of the graphs in this folder. */
export { agent } from '../machines/agent.ts'
export { incident } from '../machines/incident.ts'
