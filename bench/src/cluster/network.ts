import { spawnSync } from 'node:child_process'
import { type Confined, inNetworkOf } from './confined.ts'
import { ALL_MACHINES, type Machine, NETWORK } from './places.ts'

const CUT_TABLE = 'tally_cut'

/** The switch between the machines. What an earlier start left is taken away first. */
export function makeSwitch(tree: string): () => void {
  const ip = (...args: string[]) => inNetworkOf(tree, undefined, ['ip', ...args])
  const remove = () => {
    spawnSync('chroot', [tree, 'ip', 'link', 'del', NETWORK.bridge])
    for (const { link } of ALL_MACHINES) spawnSync('chroot', [tree, 'ip', 'link', 'del', link])
    spawnSync('chroot', [tree, 'nft', 'delete', 'table', 'inet', CUT_TABLE])
  }
  remove()
  ip('link', 'add', NETWORK.bridge, 'type', 'bridge')
  ip('addr', 'add', `${NETWORK.gateway}/24`, 'dev', NETWORK.bridge)
  ip('link', 'set', NETWORK.bridge, 'up')
  return remove
}

/** A cable from the switch to a machine. The cable goes away with the machine. */
export function plugIn(tree: string, machine: Confined, { link, address }: Machine): void {
  spawnSync('chroot', [tree, 'ip', 'link', 'del', link])
  const ip = (...args: string[]) => inNetworkOf(tree, undefined, ['ip', ...args])
  ip('link', 'add', link, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', String(machine.pid()))
  ip('link', 'set', link, 'master', NETWORK.bridge, 'up')
  inNetworkOf(tree, machine, ['ip', 'addr', 'add', `${address}/24`, 'dev', 'eth0'])
  inNetworkOf(tree, machine, ['ip', 'link', 'set', 'eth0', 'up'])
}

const ruleset = (rules: string): string => `table inet ${CUT_TABLE} {
  chain in { type filter hook input priority 0; policy accept; ${rules.replaceAll('daddr', 'saddr')} }
  chain out { type filter hook output priority 0; policy accept; ${rules} }
}`

/** Nothing passes between a machine and the other machines; whoever is at the gateway reaches it still. Answers how to mend it. */
export function cutFromOthers(tree: string, machine: Confined): () => void {
  const own = ALL_MACHINES.find(({ name }) => name === machine.name)?.address
  const others = ALL_MACHINES.map(({ address }) => address).filter((address) => address !== own)
  inNetworkOf(tree, machine, ['nft', '-f', '-'], ruleset(`ip daddr { ${others.join(', ')} } drop;`))
  return () => inNetworkOf(tree, machine, ['nft', 'delete', 'table', 'inet', CUT_TABLE])
}

/** What processes of one user send to some ports of our loopback gets lost. Answers how to mend it. */
export function cutUserFromPorts(tree: string, uid: number, ports: readonly number[]): () => void {
  const rule = `meta skuid ${uid} tcp dport { ${ports.join(', ')} } drop;`
  const text = `table inet ${CUT_TABLE} {
  chain out { type filter hook output priority 0; policy accept; ${rule} }
}`
  inNetworkOf(tree, undefined, ['nft', '-f', '-'], text)
  return () => inNetworkOf(tree, undefined, ['nft', 'delete', 'table', 'inet', CUT_TABLE])
}
