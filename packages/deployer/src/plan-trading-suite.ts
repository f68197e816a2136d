import { signedOrderSettlementBytecode, tradingVaultAbi } from '@tallystick/abi'
import { type Address, encodeFunctionData, isAddressEqual, zeroAddress } from 'viem'
import { type Plan, PlanError, type TradingSuite } from './plan.ts'
import { planCreations } from './plan-creations.ts'
import { tradingVaultCode } from './sources.ts'

export interface TradingRequest {
  /** Of both vaults: admits tokens, appoints operators, announces upgrades. */
  readonly admin: Address
  /** Sends settlements; may be changed by the admin at any time. */
  readonly operator: Address
  /** Where the fees of trades go. */
  readonly feeRecipient: Address
}

/** A vault for stocks, one for commodities, and the settlement between wallets, which belongs to nobody. */
export function planTradingSuite({ admin, operator, feeRecipient }: TradingRequest): Plan<TradingSuite> {
  if (isAddressEqual(admin, zeroAddress)) throw new PlanError('A vault without an admin can never admit a token.')
  if (isAddressEqual(feeRecipient, zeroAddress)) throw new PlanError('The fees of trades need a wallet.')
  const creations = planCreations()
  const vaultImplementation = creations.create('TradingVaultImplementation', creations.linked(tradingVaultCode))
  const initialization = encodeFunctionData({
    abi: tradingVaultAbi,
    functionName: 'initialize',
    args: [admin, operator, feeRecipient],
  })
  const vault = (name: string) => creations.proxy(name, vaultImplementation, initialization, name)
  return {
    suite: {
      vaultImplementation,
      stockVault: vault('StockTradingVault'),
      commodityVault: vault('CommodityTradingVault'),
      signedOrderSettlement: creations.create('SignedOrderSettlement', signedOrderSettlementBytecode),
    },
    steps: creations.steps,
    contracts: creations.contracts,
  }
}
