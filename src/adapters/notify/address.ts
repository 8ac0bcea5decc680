/** Decides which addresses a webhook may use: public ones, but no address of a private network or of this machine. */
import { BlockList, isIPv4, isIPv6 } from 'node:net'

/**
 * Ranges by RFC 6890 and its successors: loopback, private, link-local (metadata services of clouds), carrier, documentation,
 * multicast and reserved.
 */
const closedV4 = blockList(
  'ipv4',
  '0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24 192.88.99.0/24',
  '192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/3',
)
/** Only 2000::/3 is public. It contains tunnels to any IPv4 address (Teredo, 6to4), and documentation. */
const openV6 = blockList('ipv6', '2000::/3')
const closedV6 = blockList('ipv6', '2001::/23 2001:db8::/32 2002::/16 3fff::/20')

function blockList(family: 'ipv4' | 'ipv6', ...ranges: readonly string[]): BlockList {
  const list = new BlockList()
  for (const range of ranges.join(' ').split(' ')) {
    const [network = '', prefix = '0'] = range.split('/')
    list.addSubnet(network, Number(prefix), family)
  }
  return list
}

/** An IPv4 address in IPv6 notation (`::ffff:10.0.0.1`) is not public: no public name resolves to it. */
export function isPublic(address: string): boolean {
  if (isIPv4(address)) return !closedV4.check(address, 'ipv4')
  return isIPv6(address) && openV6.check(address, 'ipv6') && !closedV6.check(address, 'ipv6')
}

export function isLoopback(address: string): boolean {
  return isIPv4(address) ? address.startsWith('127.') : address === '::1'
}
