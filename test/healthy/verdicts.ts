/** Healthy agents that examine one thing after the other, with a negative answer for each. */
import type { Shape } from '../attack/loops.ts'

const SYLLABLES = ['ba', 'ko', 'li', 'mur', 'ne', 'sa', 'ti', 've']
const nameOf = (n: number) =>
  `${SYLLABLES[n % 8]}${SYLLABLES[(n >> 3) % 8]}${SYLLABLES[(n * 3) % 8]}`

const VERDICTS: readonly (readonly [tool: string, field: string, answer: string])[] = [
  ['check_handle', 'handle', 'User not found'],
  ['check_name', 'name', 'No such user.'],
  ['whois', 'domain', 'Domain not found.'],
  ['validate_email', 'address', 'Invalid email address.'],
  ['verify_coupon', 'code', 'Unknown coupon'],
  ['account_exists', 'account', '{"error":"not found"}'],
  ['probe_host', 'host', 'Unknown host.'],
]

export const VERDICT_AGENTS: readonly Shape[] = VERDICTS.map(([tool, field, answer]) => ({
  name: `asks ${tool} for one name after the other, answered by ${answer}`,
  laps: 30,
  healthy: true,
  lap: n => ({ tool, args: { [field]: nameOf(n) }, result: answer }),
}))
