import {
  custodyAdapterAbi,
  freezeAdapterAbi,
  lendingFactoryAbi,
  lendingMarketAbi,
  lendingVaultAbi,
  lendingVaultBytecode,
  stockFactoryAbi,
} from '@tallystick/abi'
import { signedContracts } from '@tallystick/server/clear-signing'
import { type Address, encodeDeployData, erc20Abi, parseAbi, zeroAddress } from 'viem'
import type { DeploymentRecord } from './answer.rules.ts'
import type { KnownContract } from './judge.rules.ts'
import type { NodeReads } from './node.ts'

const lower = (address: string) => address.toLowerCase() as Address
const registryAbi = parseAbi(['function identityRegistry() view returns (address)'])

/** The parts of a market, and what each is to the descriptors. */
const partNames = {
  oracle: 'SecurityPriceOracle',
  model: 'InterestRateModel',
  fund: 'InsuranceFund',
  router: 'LiquidationRouter',
  adapter: 'CustodyAdapter',
  auctionModule: 'DutchAuctionVenue',
} as const

/** Which token they take, each call says. */
const TAKES_ANY_TOKEN: readonly string[] = ['TradingVault', 'SignedOrderSettlement']

/** Tells which contract stands at an address, by the record and by what the factories on it say. Nothing else vouches for one. */
export function createContractFinder(node: NodeReads, { contracts }: DeploymentRecord) {
  const recorded = (name: string) => contracts.find((one) => one.name === name)?.address
  const factory = recorded('LendingFactory')
  const stockFactory = recorded('StockFactory')
  const known = new Map<Address, Promise<KnownContract | null>>()

  function onRecord(address: Address): KnownContract | null {
    const name = contracts.find((one) => one.address === address)?.name
    const kind = name && signedContracts.find(({ recordedAs }) => recordedAs.includes(name))
    return kind && !name.endsWith('Implementation')
      ? { name: kind.name, because: `${name} on record`, tokens: kind.constants.length === 0 ? null : {} }
      : null
  }

  async function marketAt(address: Address) {
    if (!factory || !(await node.read(factory, lendingFactoryAbi, 'isMarket', [address]))) return null
    const parts = await node.read(address, lendingMarketAbi, 'parts', [])
    if (!parts) return null
    const tokens = { borrowAsset: lower(parts.asset), collateralToken: lower(parts.collateralToken) }
    return { parts, tokens }
  }

  /** A part names its market, the factory made that market, and the market names the part: all three have to hold. */
  async function partAt(address: Address): Promise<(KnownContract & { market: Address }) | null> {
    const named = await node.read(address, custodyAdapterAbi, 'market', [])
    const market = named && named !== zeroAddress ? lower(named) : null
    const found = market && (await marketAt(market))
    if (!found) return null
    const role = (Object.keys(partNames) as (keyof typeof partNames)[]).find(
      (name) => lower(found.parts[name]) === address,
    )
    if (!role) return null
    const deferred =
      role === 'adapter' ? await node.read(address, freezeAdapterAbi, 'deferredReleaseOf', [address]) : null
    // Only an adapter that freezes defers what it releases.
    const name = deferred === null ? partNames[role] : 'FreezeAdapter'
    return { name, because: `the ${role} of the market ${market}`, tokens: found.tokens, market }
  }

  /** A vault is made by anybody, so its code has to be ours; it must ask our factory what a market is. */
  async function vaultAt(address: Address): Promise<KnownContract | null> {
    const of = await node.read(address, lendingVaultAbi, 'factory', [])
    if (!of || lower(of) !== factory) return null
    const [name, symbol, asset, owner] = await Promise.all([
      node.read(address, lendingVaultAbi, 'name', []),
      node.read(address, lendingVaultAbi, 'symbol', []),
      node.read(address, lendingVaultAbi, 'asset', []),
      node.read(address, lendingVaultAbi, 'owner', []),
    ])
    if (name === null || symbol === null || !asset || !owner) return null
    // Markets are storage, not code: without them the constructor leaves the same code.
    const args = [name, symbol, asset, owner, lower(of), []] as const
    const creation = encodeDeployData({ abi: lendingVaultAbi, bytecode: lendingVaultBytecode, args })
    if (!(await node.standsAsCreated(address, creation))) return null
    return { name: 'LendingVault', because: 'a vault with our code', tokens: { borrowAsset: lower(asset) } }
  }

  async function look(address: Address): Promise<KnownContract | null> {
    const named = onRecord(address)
    if (named) return named
    const market = await marketAt(address)
    if (market) return { name: 'LendingMarket', because: `a market of the factory ${factory}`, tokens: market.tokens }
    if (stockFactory && (await node.read(stockFactory, stockFactoryAbi, 'isStock', [address])))
      return { name: 'StockToken', because: `a stock token of the factory ${stockFactory}`, tokens: null }
    return (await partAt(address)) ?? (await vaultAt(address))
  }

  function find(address: Address): Promise<KnownContract | null> {
    const found = known.get(address) ?? look(address)
    known.set(address, found)
    return found
  }

  return {
    find,

    /** A contract of others, where a call about a part of a market, or about money of a contract of ours, goes to its token or to its register. */
    async foreign(address: Address, subjects: readonly Address[]): Promise<KnownContract | null> {
      for (const subject of subjects) {
        const contract = await find(subject)
        if (!contract) continue
        if (TAKES_ANY_TOKEN.includes(contract.name)) {
          if ((await node.read(address, erc20Abi, 'decimals', [])) === null) continue
          return { name: 'Token', because: `a token, for ${contract.name} ${subject}`, tokens: null }
        }
        const tokens = Object.entries(contract.tokens ?? {})
        const role = tokens.find(([, token]) => token === address)?.[0]
        if (role) return { name: 'Token', because: `the ${role} of ${contract.name} ${subject}`, tokens: null }
        for (const [, token] of tokens) {
          const register = await node.read(token, registryAbi, 'identityRegistry', [])
          if (register && lower(register) === address)
            return { name: 'ERC3643IdentityRegistry', because: `the register of the token ${token}`, tokens: null }
        }
      }
      return null
    },

    /** The implementation on record of a kind that runs behind proxies. */
    implementationOf: (name: string): Address | undefined => recorded(`${name}Implementation`),
  }
}

export type ContractFinder = ReturnType<typeof createContractFinder>
