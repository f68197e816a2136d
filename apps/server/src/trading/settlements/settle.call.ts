import { decodeFunctionData, encodeFunctionData, type Hex } from 'viem'
import type { UnsignedCall } from '../../platform/chain/simulate.ts'
import type { BookClass } from '../books/index.rules.ts'
import { abis } from '../contracts.ts'
import { isVaultClass } from '../signed/index.rules.ts'
import type { Fill, Market } from './staged-trade.rules.ts'

interface SettleCall {
  readonly call: UnsignedCall
  readonly functionName: string
}

const functionsOf = (bookClass: BookClass) =>
  isVaultClass(bookClass)
    ? ({ one: 'settle', many: 'batchSettle' } as const)
    : ({ one: 'settleTrade', many: 'batchSettleTrades' } as const)

/** One trade, all or nothing: a refusal reverts with its reason. */
export function settleOne({ class: bookClass, custody }: Market, fill: Fill): SettleCall {
  const data = isVaultClass(bookClass)
    ? encodeFunctionData({ abi: abis.tradingVault, functionName: 'settle', args: [fill] })
    : encodeFunctionData({ abi: abis.signedOrderSettlement, functionName: 'settleTrade', args: [fill] })
  return { call: { to: custody, data, value: 0n }, functionName: functionsOf(bookClass).one }
}

/** Several, each for itself. It reverts rather than stop for want of gas before all of them were tried. */
export function settleMany({ class: bookClass, custody }: Market, batchRef: Hex, fills: readonly Fill[]): SettleCall {
  const args = [batchRef, [...fills], BigInt(fills.length)] as const
  const data = isVaultClass(bookClass)
    ? encodeFunctionData({ abi: abis.tradingVault, functionName: 'batchSettle', args })
    : encodeFunctionData({ abi: abis.signedOrderSettlement, functionName: 'batchSettleTrades', args })
  return { call: { to: custody, data, value: 0n }, functionName: functionsOf(bookClass).many }
}

/** Whether calldata is one of the two ways to settle on the contract of this class. */
export function isSettleCall(bookClass: BookClass, input: Hex): boolean {
  const { one, many } = functionsOf(bookClass)
  const abi = isVaultClass(bookClass) ? abis.tradingVault : abis.signedOrderSettlement
  try {
    const { functionName } = decodeFunctionData({ abi, data: input })
    return functionName === one || functionName === many
  } catch {
    // Calldata of no function we know is simply another function.
    return false
  }
}
