import type { Address } from 'viem'
import { contractCall } from '../../platform/chain/contract-call.ts'
import { abis } from '../contracts.ts'

/** Whose shares; not named: whoever's. */
export interface ExpectedProvider {
  readonly provider?: Address
}

const ofMarket = <A>(functionName: string, eventName: string, args: (given: A) => readonly unknown[]) =>
  contractCall<A, ExpectedProvider>({
    kind: 'market',
    abi: abis.market,
    functionName,
    eventName,
    args,
    isFor: (effect, { provider }) => provider === undefined || effect.provider === provider,
  })

export const addLiquidityCall = ofMarket<{ amount: bigint }>('addLiquidity', 'LiquidityAdded', ({ amount }) => [amount])
export const removeLiquidityCall = ofMarket<{ shares: bigint }>('removeLiquidity', 'LiquidityRemoved', ({ shares }) => [
  shares,
])

/** The same through a vault, which its owner tells to. The event of the market proves either. */
const ofVault = <A>(functionName: string, eventName: string, args: (given: A) => readonly unknown[]) =>
  contractCall<A, null>({ kind: 'vault', abi: abis.vault, functionName, eventName, args, isFor: () => true })

export const supplyCall = ofVault<{ market: Address; amount: bigint }>('supply', 'Supplied', ({ market, amount }) => [
  market,
  amount,
])
export const withdrawCall = ofVault<{ market: Address; shares: bigint }>(
  'withdraw',
  'Withdrawn',
  ({ market, shares }) => [market, shares],
)
