import { type Address, zeroAddress } from 'viem'
import type { Chain } from '../../platform/chain/chain.ts'
import { allValues, type ContractRead, contractRead, type ResultsOf } from '../../platform/chain/contract-read.ts'
import { lowered } from '../../platform/values/address.rules.ts'
import { abis } from '../contracts.ts'

const orNull = (address: Address) => (address === zeroAddress ? null : lowered(address))

/** What a vault of any generation says of itself, and then what only later ones know. */
export function vaultReads(vault: Address) {
  return [
    contractRead(vault, abis.vault, 'owner', []),
    contractRead(vault, abis.vault, 'name', []),
    contractRead(vault, abis.vault, 'symbol', []),
    contractRead(vault, abis.vault, 'asset', []),
    contractRead(vault, abis.vault, 'decimals', []),
    contractRead(vault, abis.vault, 'depositsPaused', []),
    contractRead(vault, abis.vault, 'depositorRegistry', []),
    contractRead(vault, abis.vault, 'idleAssets', []),
    contractRead(vault, abis.vault, 'totalAssets', []),
    contractRead(vault, abis.vault, 'totalSupply', []),
    contractRead(vault, abis.vault, 'redeemableNow', []),
    contractRead(vault, abis.vault, 'markets', []),
    contractRead(vault, abis.vault, 'version', []),
    contractRead(vault, abis.vault, 'factory', []),
    contractRead(vault, abis.vault, 'unreadableMarkets', []),
  ] as const
}

/** Null: it does not answer as a vault. */
export function vaultState(results: ResultsOf<ReturnType<typeof vaultReads>>) {
  const [owner_, name_, symbol_, asset_, decimals_, paused_, registry_, idle_, total_, supply_, redeemable_, markets_] =
    results
  const [, , , , , , , , , , , , version, factory, unreadable] = results
  const ofEvery = allValues([owner_, name_, symbol_, asset_, decimals_, paused_, registry_, idle_] as const)
  const ofMoney = allValues([total_, supply_, redeemable_, markets_] as const)
  if (!ofEvery || !ofMoney) return null
  const [owner, name, symbol, asset, decimals, depositsPaused, registry, idleAssets] = ofEvery
  const [totalAssets, totalSupply, redeemableNow, markets] = ofMoney
  return {
    owner: lowered(owner),
    name,
    symbol,
    asset: lowered(asset),
    decimals,
    depositsPaused,
    depositorRegistry: orNull(registry),
    idleAssets,
    totalAssets,
    totalSupply,
    redeemableNow,
    markets: markets.map(lowered),
    version: version.ok ? Number(version.value) : 1,
    factory: factory.ok ? lowered(factory.value) : null,
    unreadableMarkets: unreadable.ok ? unreadable.value.map(lowered) : [],
  }
}

const VAULT_READS = vaultReads(zeroAddress).length

/** Several vaults in one round trip; null where one does not answer as a vault. */
export async function readVaults(chain: Chain, vaults: readonly Address[]) {
  const { block, results } = await chain.read(
    vaults.flatMap((vault): ContractRead<unknown>[] => [...vaultReads(vault)]),
  )
  const states = vaults.map((_, index) => vaultState(partOf(results, index * VAULT_READS, VAULT_READS)))
  return { block, states }
}

/** A vault as one market sees it. */
function connectionReads(vault: Address, market: Address) {
  return [
    contractRead(market, abis.market, 'sharesOf', [vault]),
    contractRead(vault, abis.vault, 'drawCapOf', [market]),
    contractRead(vault, abis.vault, 'drawableFor', [market]),
    contractRead(vault, abis.vault, 'idleAssets', []),
    contractRead(vault, abis.vault, 'depositsPaused', []),
    ...vaultReads(vault),
  ] as const
}

const CONNECTION_READS = connectionReads(zeroAddress, zeroAddress).length

function connection(address: Address, results: ResultsOf<ReturnType<typeof connectionReads>>) {
  const [shares, drawCap, drawable, idleAssets, depositsPaused, ...ownWords] = results
  return {
    address,
    shares: shares.ok ? shares.value : null,
    drawCap: drawCap.ok ? drawCap.value : null,
    drawable: drawable.ok ? drawable.value : null,
    idleAssets: idleAssets.ok ? idleAssets.value : null,
    depositsPaused: depositsPaused.ok ? depositsPaused.value : null,
    state: vaultState(ownWords),
  }
}

/** The market's side, and these vaults as it sees them, in one round trip. */
export async function readConnections(chain: Chain, market: Address, vaults: readonly Address[]) {
  const ofMarket = [
    contractRead(market, abis.market, 'useVaultLiquidity', []),
    contractRead(market, abis.market, 'vaults', []),
    contractRead(market, abis.market, 'pool', []),
    contractRead(market, abis.market, 'operatorFeeRecipient', []),
  ] as const
  const reads = vaults.flatMap((vault): ContractRead<unknown>[] => [...connectionReads(vault, market)])
  const { block, results } = await chain.read([...ofMarket, ...reads])
  const own = allValues(partOf<ResultsOf<typeof ofMarket>>(results, 0, ofMarket.length))
  if (!own) return null
  const [useVaultLiquidity, registered, pool, operator] = own
  const connections = vaults.map((vault, index) =>
    connection(vault, partOf(results, ofMarket.length + index * CONNECTION_READS, CONNECTION_READS)),
  )
  return {
    block,
    useVaultLiquidity,
    registered: registered.map(lowered),
    pool,
    operator: orNull(operator),
    connections,
  }
}

export type Connections = NonNullable<Awaited<ReturnType<typeof readConnections>>>

/** The results of one group of reads among many; the reads were laid out the same way. */
function partOf<R>(results: readonly unknown[], from: number, count: number): R {
  return results.slice(from, from + count) as R
}
