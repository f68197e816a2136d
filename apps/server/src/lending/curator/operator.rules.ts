import { formatUnits } from '../../platform/amounts.rules.ts'
import type { Market } from '../core/index.rules.ts'
import { orNull } from './factory-entry.rules.ts'
import type { OperatorResults } from './operator.reads.ts'
import type { OperatorFact } from './operator.store.ts'

/** What the market owes to whom. Nothing is made up where the market did not answer. */
export function marketFees(market: Market, results: OperatorResults) {
  const { pool, parts, vaults, platformWallet, fundAccepts } = results
  if (!pool.ok || !parts.ok || !vaults.ok || !platformWallet.ok) return { readFailed: true as const }
  const owed = (raw: bigint, isOpen = true) => ({
    payable: formatUnits(raw, market.borrowDecimals),
    payableRaw: raw.toString(),
    sweepable: raw > 0n && isOpen,
  })
  // Another fund than the one it was born with was not asked whether it takes the money.
  const fund = orNull(parts.value.fund)
  const isTaken = fund !== market.insuranceFund || (fundAccepts.ok && fundAccepts.value)
  return {
    readFailed: false as const,
    asset: { address: market.borrowAsset, symbol: market.borrowSymbol, decimals: market.borrowDecimals },
    feeShareGeneration: 'FIXED_SHARES' as const,
    operator: {
      shareBps: 800,
      fixedShare: true as const,
      recipient: orNull(parts.value.operator),
      ...owed(pool.value.operatorFees),
    },
    distributor: {
      shareBps: 500,
      ...owed(pool.value.distributorFees),
      registeredVaults: vaults.value.map((vault) => vault.toLowerCase()),
    },
    protocol: { ...owed(pool.value.protocolFees, isTaken), destination: fund },
    infrastructure: { ...owed(pool.value.infrastructureFees), destination: orNull(platformWallet.value) },
  }
}

const kinds = {
  'factory.CuratorAccepted': ['CURATOR_ACCEPTED', 'curator'],
  'market.OperatorFeeRecipientUpdated': ['OPERATOR_WALLET_SET', 'previous'],
  'market.OperatorFeePaid': ['OPERATOR_FEES_SWEPT', 'recipient'],
  'market.LiquidityAdded': ['SUPPLY', 'provider'],
  'market.LiquidityRemoved': ['WITHDRAW', 'provider'],
} as const

/** One line of what the operator did. */
export function operatorAction(fact: OperatorFact, decimals: number) {
  const [txType, who] = kinds[fact.operation]
  return {
    id: fact.id,
    txType,
    userAddress: String(fact.effect[who]),
    amount: formatUnits(BigInt(fact.effect.amount ?? '0'), decimals),
    txHash: fact.txHash,
    timestamp: new Date(Number(fact.blockTime) * 1000).toISOString(),
  }
}
