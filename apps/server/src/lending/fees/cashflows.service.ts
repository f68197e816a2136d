import { AppError } from '../../platform/app-error.ts'
import { allValues, contractRead } from '../../platform/chain/contract-read.ts'
import { ChainUnavailableError } from '../../platform/chain/rpc.ts'
import { abis } from '../contracts.ts'
import { type DeployedRecord, findDeployedMarket, type MarketCall } from '../core/index.ts'
import type { LendingParts } from '../parts.ts'
import { isLoanBalanced, marketFigures, reconcile, showLegs } from './cashflows.rules.ts'
import * as store from './cashflows.store.ts'
import { feeShares } from './fee-split.rules.ts'
import { type FeeState, feeState, feeStateReads } from './fee-state.reads.ts'
import { sumLoan } from './loan-cashflows.rules.ts'
import { readAt } from './past.reads.ts'

type Market = DeployedRecord['market']

const statuses = [null, 'ACTIVE', 'IN_AUCTION', 'CLOSED'] as const

const NOTE =
  'Summed from the events of the market up to syncedBlock, and held against its books at that very block. Events are never taken from a request.'

/** What everything else needs: the market has to have answered all of it. */
function answered(state: FeeState) {
  const { pool, platformWallet, fund, insuranceBps, operator } = state
  if (state.offeredShareBps !== null) throw new AppError('MARKET_UPGRADE_REQUIRED')
  if (!pool || !platformWallet || state.hasFund === null || insuranceBps === null)
    throw new AppError('MARKET_STATE_UNAVAILABLE')
  return { pool, insuranceBps, recipients: { infrastructure: platformWallet, operator, insuranceFund: fund } }
}

/** Where interest and fees went, for a market and for one of its loans. */
export function createCashflows({ chains }: LendingParts) {
  const head = (market: Market, insuranceBps: number) => ({
    marketAddress: market.address,
    asset: { address: market.borrowAsset, symbol: market.borrowSymbol, decimals: market.borrowDecimals },
    split: { ...feeShares, insuranceBps },
  })

  const history = (market: Market, synced: bigint, latest: bigint, counted: { events: number; pending: number }) => ({
    source: 'MARKET_EVENTS' as const,
    complete: synced >= latest,
    syncedBlock: synced.toString(),
    latestBlock: latest.toString(),
    balancesAtBlock: synced.toString(),
    deployedInBlock: market.deployedBlock.toString(),
    events: counted.events,
    pendingFinality: counted.pending,
    note: NOTE,
  })

  function requireReach(synced: string | null | undefined, market: Market): bigint {
    const height = synced ? BigInt(synced) : -1n
    if (height < market.deployedBlock)
      throw new ChainUnavailableError('the events of the market have not been read yet')
    return height
  }

  async function ofMarket({ tenant }: MarketCall, market: Market) {
    const [sums] = await tenant.read((sql) => store.sumMarket(sql, market.chainId, market.address))
    const synced = requireReach(sums?.syncedBlock, market)
    if (!sums) throw new Error('sums without a row')
    const chain = chains.get(market.chainId)
    const { block, latest, results } = await readAt(chain, synced, feeStateReads(market.address))
    const { pool, insuranceBps, recipients } = answered(feeState(results))
    const { figures, paid } = marketFigures(sums)
    const data = {
      ...head(market, insuranceBps),
      ...showLegs(figures, paid, recipients, sums, market.borrowDecimals),
      reconciliation: reconcile(figures, paid, pool),
      loan: null,
      history: history(market, synced, latest.number, { events: sums.events, pending: sums.pendingFinality }),
    }
    return { data, block }
  }

  async function ofLoan({ tenant }: MarketCall, market: Market, loanId: string) {
    const { chainId, address } = market
    const rows = await tenant.read((sql) => store.listOfLoan(sql, chainId, address, loanId))
    const [first] = rows
    if (!first) {
      const [reach] = await tenant.read((sql) => store.findReach(sql, chainId, address))
      requireReach(reach?.syncedBlock, market)
      throw new AppError('LOAN_NOT_FOUND')
    }
    const synced = requireReach(first.syncedBlock, market)
    const sums = sumLoan(rows, loanId)
    const { block, latest, results } = await readAt(chains.get(chainId), synced, [
      ...feeStateReads(address),
      contractRead(address, abis.market, 'loan', [BigInt(loanId)]),
      ...sums.realizationIds.map((id) => contractRead(address, abis.market, 'realization', [id])),
    ])
    const [pool, parts, config, platformWallet, flatFees, vaults, offered, loan, ...seized] = results
    const state = feeState([pool, parts, config, platformWallet, flatFees, vaults, offered])
    const { insuranceBps, recipients } = answered(state)
    const realizations = allValues(seized)
    const status = loan.ok ? statuses[loan.value.status] : null
    if (!realizations || !status) throw new AppError('MARKET_STATE_UNAVAILABLE')
    const counts = { realizationSplits: sums.realizationSplits, unitemisedSplits: 0 }
    const shown = showLegs(sums.figures, null, recipients, counts, market.borrowDecimals)
    const data = {
      ...head(market, insuranceBps),
      ...shown,
      reconciliation: null,
      loan: {
        loanId,
        status,
        interestRepaid: shown.legs.liquidityProviders.interestRepaid,
        interestRecovered: shown.legs.liquidityProviders.interestRecovered,
        balanced: isLoanBalanced(sums, realizations),
      },
      history: history(market, synced, latest.number, { events: sums.events, pending: sums.pendingFinality }),
    }
    return { data, block }
  }

  return {
    async get(call: MarketCall, marketId: string, loanId: string | undefined) {
      const { market } = await findDeployedMarket(call, marketId)
      return loanId === undefined ? ofMarket(call, market) : ofLoan(call, market, loanId)
    },
  }
}

export type CashflowsService = ReturnType<typeof createCashflows>
