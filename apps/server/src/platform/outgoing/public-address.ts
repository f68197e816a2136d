import { BlockList, isIP } from 'node:net'

/** IPv4 networks that no public service answers from (IANA special-purpose registry, multicast and reserved space). */
const specialV4 = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const

/** Within global unicast space: tunnels, which lead to any IPv4 address, documentation, and protocol assignments. */
const specialV6 = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const

const refusedV4 = new BlockList()
for (const [network, prefix] of specialV4) refusedV4.addSubnet(network, prefix, 'ipv4')
const refusedV6 = new BlockList()
for (const [network, prefix] of specialV6) refusedV6.addSubnet(network, prefix, 'ipv6')
/** All that is assigned for public use. Loopback, mapped, translated, local and multicast addresses lie outside. */
const globalV6 = new BlockList()
globalV6.addSubnet('2000::', 3, 'ipv6')

/** Whether an address is one of the public Internet. What is in doubt is not. */
export function isPublicAddress(address: string): boolean {
  // A zone names an interface of this machine.
  if (address.includes('%')) return false
  switch (isIP(address)) {
    case 4:
      return !refusedV4.check(address, 'ipv4')
    case 6:
      return globalV6.check(address, 'ipv6') && !refusedV6.check(address, 'ipv6')
    default:
      return false
  }
}
