import { type Recognized, recognize } from '@tallystick/deployer'
import { type Address, domainSeparator, type Hex, keccak256, numberToHex, pad, parseAbi, toBytes, toHex } from 'viem'
import type { Chain } from '../platform/chain/chain.ts'
import { contractRead } from '../platform/chain/contract-read.ts'
import { lowered } from '../platform/values/address.rules.ts'
import { loweredHex } from '../platform/values/hex.rules.ts'
import { codeAt } from './contract-code.reads.ts'

const viewsAbi = parseAbi([
  'function factory() view returns (address)',
  'function platformWallet() view returns (address)',
  'function eip712Domain() view returns (bytes1 fields, string name, string version, uint256 chainId, address verifyingContract, bytes32 salt, uint256[] extensions)',
])

const word = (value: Hex) => pad(loweredHex(value))
const NOTHING = word('0x')

/** A text of up to 31 bytes in one word, as ShortStrings of OpenZeppelin keeps it. */
const shortString = (text: string): Hex =>
  `0x${toHex(text).slice(2).padEnd(62, '0')}${numberToHex(toBytes(text).length, { size: 1 }).slice(2)}`

/** What EIP712 of OpenZeppelin leaves in the code of a contract. */
function wordsOfDomain(address: Address, chainId: number, { name, version }: { name: string; version: string }): Hex[] {
  const domain = { name, version, chainId, verifyingContract: address }
  return [
    domainSeparator({ domain }),
    numberToHex(chainId, { size: 32 }),
    ...[name, version].flatMap((text) => [keccak256(toHex(text)), shortString(text)]),
  ]
}

/** The code is known, so its own views tell what its constructor was given; whether it may belong to that factory is asked. */
async function areExplained(
  chain: Chain,
  address: Address,
  { immutables }: Recognized,
  factory: Address | undefined,
): Promise<boolean> {
  if (immutables.length === 0) return true
  const { results } = await chain.read([
    contractRead(address, viewsAbi, 'factory', []),
    contractRead(address, viewsAbi, 'platformWallet', []),
    contractRead(address, viewsAbi, 'eip712Domain', []),
  ])
  const [ofFactory, wallet, domain] = results
  if (ofFactory.ok && lowered(ofFactory.value) !== factory) return false
  const [, name, version] = domain.ok ? domain.value : []
  const explained = new Set([
    NOTHING,
    word(address),
    ...(ofFactory.ok ? [word(ofFactory.value)] : []),
    ...(wallet.ok ? [word(wallet.value)] : []),
    ...(name !== undefined && version !== undefined ? wordsOfDomain(address, chain.chainId, { name, version }) : []),
  ])
  return immutables.every((value) => explained.has(value))
}

/**
 * The code at an address, when it is a build of this contract that ever was ours, with nothing filled in that is not explained and
 * with libraries of which the same is true; null: it is not. Libraries are named with their addresses.
 */
export async function knownCode(
  chain: Chain,
  name: string,
  address: Address,
  factory?: Address,
): Promise<{ readonly since: string; readonly libraries: ReadonlyMap<string, Address> } | null> {
  const found = recognize(name, await codeAt(chain, address))
  if (!found || (found.self !== null && found.self !== address)) return null
  if (!(await areExplained(chain, address, found, factory))) return null
  const libraries = new Map<string, Address>()
  for (const [library, at] of Object.entries(found.libraries)) {
    const below = await knownCode(chain, library, at)
    if (!below) return null
    for (const [deeper, there] of below.libraries) libraries.set(deeper, there)
    libraries.set(library, at)
  }
  return { since: found.build.since, libraries }
}
