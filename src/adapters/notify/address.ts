/** Which addresses a webhook may be sent to: those of the public internet, never one of a private network or of this machine. */
import { BlockList, isIPv4, isIPv6 } from 'node:net'

/** Loopback, private, link-local (where clouds keep their metadata), carrier, documentation, multicast and reserved ranges: RFC 6890 and its successors. */
const CLOSED_V4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/3',
]
/** Of IPv6 only 2000::/3 is public; in it lie tunnels (Teredo, 6to4) that lead to any IPv4 address, and documentation. */
const CLOSED_V6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20']

const closed = listOf(CLOSED_V4, 'ipv4')
const tunnels = listOf(CLOSED_V6, 'ipv6')
const global = listOf(['2000::/3'], 'ipv6')

function listOf(ranges: readonly string[], family: 'ipv4' | 'ipv6'): BlockList {
  const list = new BlockList()
  for (const range of ranges) {
    const [network = '', prefix = '0'] = range.split('/')
    list.addSubnet(network, Number(prefix), family)
  }
  return list
}

/** An IPv4 address inside an IPv6 one (`::ffff:10.0.0.1`) is none: no public name resolves to it. */
export function isPublic(address: string): boolean {
  if (isIPv4(address)) return !closed.check(address, 'ipv4')
  return isIPv6(address) && global.check(address, 'ipv6') && !tunnels.check(address, 'ipv6')
}

export function isLoopback(address: string): boolean {
  return isIPv4(address) ? address.startsWith('127.') : address === '::1'
}
