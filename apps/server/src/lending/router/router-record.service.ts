import { formatUnits } from '../../platform/amounts.rules.ts'
import { AppError } from '../../platform/app-error.ts'
import { readNamed } from '../../platform/chain/named-reads.ts'
import type { LendingParts } from '../parts.ts'
import { realizationRead } from './books.ts'
import { amountIn, createConfirmation, minedAt, provenBy } from './confirmation.ts'
import { closeCall, reopenCall } from './liquidation.call.ts'
import { statusOf } from './liquidation-id.rules.ts'
import { createLookup, type LiquidationCall } from './lookup.service.ts'
import {
  builtFor,
  createRouterWrites,
  type LiquidationOnRouter,
  liquidationRead,
  requireOpen,
  requireRecord,
} from './router-write.service.ts'
import { partyReads, requireParty } from './signer.ts'

const closes = { pair: closeCall, path: 'close', revertCode: 'CLOSE_TX_REVERTED' } as const
const reopens = { pair: reopenCall, path: 'reopen', revertCode: 'REOPEN_TX_REVERTED' } as const

/** What the router admin does with a router's record: bookkeeping, nothing moves. */
export function createRouterRecord(parts: LendingParts) {
  const lookup = createLookup(parts)
  const write = createRouterWrites(parts)
  const confirm = createConfirmation(parts)

  async function ask(call: LiquidationCall) {
    const located = await lookup.onRouter(call)
    const { record, chain, realizationId } = located
    const { market, wallets } = record
    const { block, results } = await readNamed(chain, {
      liquidation: liquidationRead(located),
      realization: realizationRead(market, realizationId),
      roleHeld: partyReads(record, 'routerAdmin', wallets),
    })
    const signing = requireParty(record, 'routerAdmin', wallets, results.roleHeld)
    return { located, block, results, signing }
  }

  async function build(
    call: LiquidationCall,
    { pair, path }: typeof closes | typeof reopens,
    { located, block, signing }: Awaited<ReturnType<typeof ask>>,
  ) {
    const built = await write(located, pair, { id: located.id }, signing.signer)
    const data = { ...builtFor(call, located, path), ...built, ...signing }
    return { data, block, calls: [built.transaction] }
  }

  async function prove(call: LiquidationCall, { pair, revertCode }: typeof closes | typeof reopens, txHash: string) {
    const { record, chain, id, liquidationId } = await lookup.onRouter(call)
    const proof = await confirm(call, { record, chain, pair, expected: { id }, txHash, revertCode })
    const data = { liquidationId, marketId: record.marketId, ...provenBy(proof), at: minedAt(proof) }
    return { data, proof, market: record.market, block: proof.transaction.block }
  }

  /** Collateral in whole tokens. */
  const shown = ({ collateralRemaining }: LiquidationOnRouter, decimals: number) =>
    formatUnits(collateralRemaining, decimals)

  return {
    async buildClose(call: LiquidationCall) {
      const asked = await ask(call)
      const { market } = asked.located.record
      const liquidation = requireOpen(asked.results.liquidation)
      const { realization } = asked.results
      if (!realization.ok) throw new AppError('ROUTER_UNREADABLE')
      if (liquidation.proceedsCollected !== 0n)
        throw new AppError('PROCEEDS_COLLECTED', {
          extra: { proceedsCollected: formatUnits(liquidation.proceedsCollected, market.borrowDecimals) },
        })
      if (liquidation.collateralRemaining !== 0n)
        throw new AppError('COLLATERAL_UNSOLD', {
          extra: { collateralRemaining: shown(liquidation, market.collateralDecimals) },
        })
      if (statusOf(realization.value.status) === 'PENDING') throw new AppError('MARKET_SETTLEMENT_PENDING')
      return build(call, closes, asked)
    },

    async confirmClose(call: LiquidationCall, txHash: string) {
      const { data, block } = await prove(call, closes, txHash)
      return { data: { ...data, status: 'SETTLED' as const }, block }
    },

    async buildReopen(call: LiquidationCall) {
      const asked = await ask(call)
      const { market } = asked.located.record
      const liquidation = requireRecord(asked.results.liquidation)
      if (!liquidation.settled) throw new AppError('LIQUIDATION_NOT_SETTLED')
      if (liquidation.proceedsCollected !== 0n) throw new AppError('REOPEN_UNAVAILABLE')
      if (liquidation.collateralRemaining === 0n) throw new AppError('NOTHING_TO_RECOVER')
      const built = await build(call, reopens, asked)
      const collateralRemaining = shown(liquidation, market.collateralDecimals)
      return { ...built, data: { ...built.data, collateralRemaining } }
    },

    async confirmReopen(call: LiquidationCall, txHash: string) {
      const { data, proof, market, block } = await prove(call, reopens, txHash)
      const collateralRemaining = formatUnits(amountIn(proof, 'collateralRemaining'), market.collateralDecimals)
      return { data: { ...data, status: 'PENDING' as const, collateralRemaining }, block }
    },
  }
}

export type RouterRecord = ReturnType<typeof createRouterRecord>
