import { type Address, erc20Abi, zeroAddress } from 'viem'
import type { Chain } from '../../platform/chain/chain.ts'
import { contractRead, type ReadResult } from '../../platform/chain/contract-read.ts'
import { lowered } from '../../platform/values/address.rules.ts'
import { abis } from '../contracts.ts'
import type { Market } from '../core/index.rules.ts'
import { addressIn, IMPLEMENTATION_SLOT, targets } from '../upgrades/index.rules.ts'

const orNull = (address: Address) => (address === zeroAddress ? null : lowered(address))
const answerOf = <T>(result: ReadResult<T>): T | null => (result.ok ? result.value : null)

function fundReads(market: Market, fund: Address, holder: Address) {
  return [
    contractRead(market.address, abis.market, 'parts', []),
    contractRead(market.address, abis.market, 'pool', []),
    contractRead(market.factory, abis.factory, 'servedImplementation', [targets.insuranceFund.servedAs]),
    contractRead(fund, abis.fund, 'owner', []),
    contractRead(fund, abis.fund, 'pendingOwner', []),
    contractRead(fund, abis.fund, 'isAuthorized', [market.address]),
    contractRead(fund, abis.fund, 'totals', []),
    contractRead(fund, abis.fund, 'version', []),
    contractRead(fund, abis.fund, 'hasOpenTopUp', []),
    contractRead(market.borrowAsset, erc20Abi, 'balanceOf', [fund]),
    contractRead(market.borrowAsset, erc20Abi, 'balanceOf', [holder]),
  ] as const
}

async function readAs(chain: Chain, market: Market, fund: Address, holder: Address) {
  const slot = { address: fund, slot: IMPLEMENTATION_SLOT }
  const { block, results, slots } = await chain.readWithSlots(fundReads(market, fund, holder), [slot])
  const [parts, pool, served, owner, pendingOwner, isAuthorized, totals, version, openTopUp, balance, held] = results
  const sums = answerOf(totals)
  return {
    block,
    fund,
    /** Undefined: the market does not say; null: it has none. */
    named: parts.ok ? orNull(parts.value.fund) : undefined,
    protocolFees: answerOf(pool)?.protocolFees ?? null,
    target: served.ok ? orNull(served.value) : null,
    current: addressIn(slots[0] ?? null),
    owner,
    pendingOwner: pendingOwner.ok ? orNull(pendingOwner.value) : null,
    isAuthorized: answerOf(isAuthorized),
    totals: sums ? { added: sums[0], covered: sums[1], withdrawn: sums[2] } : null,
    version: answerOf(version),
    /** False also where the fund does not know the question: then nobody else can fill it. */
    hasOpenTopUp: answerOf(openTopUp) ?? false,
    balance: answerOf(balance),
    heldByPayer: answerOf(held),
  }
}

/**
 * The fund of a market. It is the one that the market was deployed with, in one round trip, unless the admin has named another: then
 * that one, in a second.
 * @param payer Whose cash is asked for as well.
 */
export async function readFund(chain: Chain, market: Market, payer: Address = zeroAddress) {
  const first = await readAs(chain, market, market.insuranceFund, payer)
  return first.named && first.named !== first.fund ? readAs(chain, market, first.named, payer) : first
}

export type FundState = Awaited<ReturnType<typeof readFund>>
