import { formatUnits } from '../../platform/amounts.rules.ts'
import { AppError } from '../../platform/app-error.ts'
import { assetOf } from '../core/index.rules.ts'
import { findDeployedMarket, type MarketCall } from '../core/index.ts'
import type { LendingParts } from '../parts.ts'
import { type FundState, readFund } from './fund-state.reads.ts'
import { disclosure, showLosses, showTopUp } from './insurance.rules.ts'
import * as store from './insurance.store.ts'

function answered({ named, owner, totals, balance, protocolFees, isAuthorized }: FundState) {
  if (named === null) throw new AppError('NO_INSURANCE_FUND')
  if (named === undefined || protocolFees === null || balance === null) throw new AppError('FUND_STATE_UNAVAILABLE')
  if (!owner.ok || !totals || isAuthorized === null) throw new AppError('FUND_NOT_READABLE')
  return { owner: owner.value.toLowerCase(), totals, balance, protocolFees, isAuthorized }
}

/** What the fund of a market is worth. */
export function createInsuranceStatus({ chains }: LendingParts) {
  return {
    async get(call: MarketCall, marketId: string) {
      const { market } = await findDeployedMarket(call, marketId)
      const { tenant } = call
      const { chainId, borrowDecimals: decimals } = market
      const [losses] = await tenant.read((sql) => store.sumLosses(sql, chainId, market.address))
      if (!losses) throw new Error('sums without a row')
      const state = await readFund(chains.get(chainId), market)
      const { owner, totals, balance, protocolFees, isAuthorized } = answered(state)
      const topUps = await tenant.read((sql) =>
        store.listTopUps(sql, tenant.instanceId, chainId, state.fund, market.address),
      )
      const amount = (raw: bigint) => formatUnits(raw, decimals)
      const unbooked = balance - (totals.added - totals.covered - totals.withdrawn)
      const data = {
        configured: true as const,
        fundAddress: state.fund,
        asset: assetOf(market),
        owner,
        pendingOwner: state.pendingOwner,
        ownedByMarket: owner === market.address,
        marketAuthorized: isAuthorized,
        stats: {
          totalDeposits: amount(totals.added),
          badDebtCovered: amount(totals.covered),
          totalWithdrawn: amount(totals.withdrawn),
          currentBalance: amount(balance),
          unbookedBalance: amount(unbooked > 0n ? unbooked : 0n),
        },
        generation: { version: state.version?.toString() ?? null, topUpBooked: state.hasOpenTopUp },
        earmarkedProtocolFees: amount(protocolFees),
        earmarkedProtocolFeesRaw: protocolFees.toString(),
        earmarkedProtocolFeesSweepable: protocolFees > 0n && isAuthorized,
        marketBadDebt: showLosses(losses, decimals),
        disclosure,
        fundImplementation: {
          current: state.current,
          target: state.target,
          upgradeAvailable: state.current && state.target ? state.current !== state.target : null,
        },
        recentTopUps: topUps.map((row) => showTopUp(row, decimals)),
      }
      return { data, block: state.block }
    },
  }
}

export type InsuranceStatus = ReturnType<typeof createInsuranceStatus>
