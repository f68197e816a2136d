import { type Abi, type Address, decodeFunctionResult, encodeFunctionData, zeroAddress } from 'viem'
import type { Block } from '../../platform/chain/block.ts'
import { type Probe, type ProbeAnswer, probe } from '../../platform/chain/bounded-reader.ts'
import type { Chain } from '../../platform/chain/chain.ts'
import { abis } from '../contracts.ts'
import type { Market } from '../core/index.rules.ts'
import { noRegister, type RegisterShape, registerProbe, shapeOf } from './register.rules.ts'

/** The registers of a market, as far as they are known before it is asked; null: none. */
export interface Registers {
  readonly borrower: Address | null
  readonly provider: Address | null
}

export interface GatesState extends Registers {
  readonly curator: Address | null
  /** Of the market's implementation. */
  readonly version: number
  readonly vaults: readonly Address[]
  readonly borrowerShape: RegisterShape
  readonly providerShape: RegisterShape
}

const WORD = 32
const MAX_VAULTS = 8
const marketAbi: Abi = abis.market
const factoryAbi: Abi = abis.factory

const ask = (target: Address, abi: Abi, functionName: string, words: number, args: readonly unknown[] = []): Probe => ({
  target,
  data: encodeFunctionData({ abi, functionName, args }),
  maxReturn: words * WORD,
})

function decoded<T>(answer: ProbeAnswer | undefined, abi: Abi, functionName: string): T | null {
  if (answer?.outcome !== 'OK') return null
  try {
    return decodeFunctionResult({ abi, functionName, data: answer.data }) as T
  } catch {
    return null
  }
}

const orNull = (address: string): Address | null =>
  address === zeroAddress ? null : (address.toLowerCase() as Address)

const registerProbes = ({ borrower, provider }: Registers): Probe[] => [
  registerProbe(borrower ?? zeroAddress),
  registerProbe(provider ?? zeroAddress),
]

const shapes = ({ borrower, provider }: Registers, [first, second]: readonly (ProbeAnswer | undefined)[]) => ({
  borrowerShape: borrower ? shapeOf(first) : noRegister,
  providerShape: provider ? shapeOf(second) : noRegister,
})

/**
 * Market and registers in one round trip: the registers are asked at the addresses that were guessed. Only when the market
 * names others, they are asked again. Null: the market does not answer as one of ours.
 */
export async function readGates(
  chain: Chain,
  market: Pick<Market, 'address' | 'factory'>,
  guess: Registers,
): Promise<{ block: Block; gates: GatesState } | null> {
  const { block, answers } = await probe(chain, [
    ask(market.address, marketAbi, 'parts', 11),
    ask(market.address, marketAbi, 'version', 1),
    ask(market.address, marketAbi, 'vaults', 2 + MAX_VAULTS),
    ask(market.factory, factoryAbi, 'deployment', 19, [market.address]),
    ...registerProbes(guess),
  ])
  const [partsAnswer, versionAnswer, vaultsAnswer, deploymentAnswer, ...guessed] = answers
  const parts = decoded<{ borrowerRegistry: string; providerRegistry: string }>(partsAnswer, marketAbi, 'parts')
  const version = decoded<bigint>(versionAnswer, marketAbi, 'version')
  const vaults = decoded<readonly string[]>(vaultsAnswer, marketAbi, 'vaults')
  const deployment = decoded<{ curator: string }>(deploymentAnswer, factoryAbi, 'deployment')
  if (!parts || version === null || !vaults || !deployment) return null
  const registers = { borrower: orNull(parts.borrowerRegistry), provider: orNull(parts.providerRegistry) }
  const isGuessed = registers.borrower === guess.borrower && registers.provider === guess.provider
  const replies = isGuessed ? guessed : (await probe(chain, registerProbes(registers))).answers
  const gates = {
    ...registers,
    curator: orNull(deployment.curator),
    version: Number(version),
    vaults: vaults.map((vault) => vault.toLowerCase() as Address),
    ...shapes(registers, replies),
  }
  return { block, gates }
}
