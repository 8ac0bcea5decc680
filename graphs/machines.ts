/** The statecharts that the graphs of this folder name. */
export { agent } from '../machines/agent.ts'
export { incident } from '../machines/incident.ts'
