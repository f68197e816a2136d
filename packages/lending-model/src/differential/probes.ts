import {
  auctionFigures,
  loanFigures,
  maxBorrowDown,
  poolFigures,
  positionFigures,
  shareValueDown,
} from '../market/figures.ts'
import { collateralOf } from '../market/loan-books.ts'
import type { LendingState } from '../market/state.ts'
import { type Addresses, actors, addressOf, borrowers, contracts, lenders } from './parties.ts'
import type { ContractName } from './suite.ts'

/** A read of the contracts and what the model says about it. A single value has the name `value`. */
export interface Probe {
  label: string
  target: string
  contract: ContractName
  functionName: string
  args: readonly (bigint | string)[]
  expected: Readonly<Record<string, bigint | boolean | string>>
}

const loanStatuses = { ACTIVE: 1n, IN_AUCTION: 2n, CLOSED: 3n }
const recordStatuses = { OPEN: 1n, SETTLED: 2n, WRITTEN_OFF: 3n }

function market(functionName: string, args: Probe['args'], expected: Probe['expected']): Probe {
  const label = args.length === 0 ? functionName : `${functionName}(${args.join()})`
  return { label, target: 'market', contract: 'LendingMarket', functionName, args, expected }
}

/** @param isFull Also what is over and should not change any more. */
export function probesOf(state: LendingState, addresses: Addresses, now: bigint, isFull: boolean): Probe[] {
  return [
    ...poolProbes(state, addresses, now),
    ...loanProbes(state, addresses, now, isFull),
    ...recordProbes(state, isFull),
    ...auctionProbes(state, now, isFull),
    ...balanceProbes(state, addresses),
  ]
}

function poolProbes(state: LendingState, addresses: Addresses, now: bigint): Probe[] {
  const oneShare = 10n ** 18n
  const { totalShares } = state.pool
  const someCollateral = 7n * 10n ** state.collateralDecimals + 3n
  const { oracle } = state
  const oracleProbe = (functionName: string, value: bigint | boolean): Probe => ({
    label: `oracle ${functionName}`,
    target: 'oracle',
    contract: 'SecurityPriceOracle',
    functionName,
    args: [],
    expected: { value },
  })
  return [
    market('pool', [], poolFigures(state, now)),
    market('toAssets', [oneShare], { value: shareValueDown(state, oneShare, now) }),
    market('toAssets', [totalShares], { value: shareValueDown(state, totalShares, now) }),
    market('maxBorrow', [someCollateral], { value: maxBorrowDown(state, someCollateral) }),
    oracleProbe('price', oracle.price),
    oracleProbe('isStale', now > oracle.updatedAt + oracle.maxPriceAge),
    ...lenders.flatMap((lender) => {
      const { shares, fees } = positionFigures(state, lender)
      const address = addressOf(addresses, lender)
      return [
        market('sharesOf', [address], { value: shares }),
        market('distributorFeesPayable', [address], { value: fees }),
      ]
    }),
  ]
}

function loanProbes(state: LendingState, addresses: Addresses, now: bigint, isFull: boolean): Probe[] {
  const shown = [...state.loans].filter(([, loan]) => isFull || loan.status !== 'CLOSED')
  const perLoan = shown.flatMap(([id, loan]) => {
    const { healthFactor, ...figures } = loanFigures(state, loan, now)
    const borrower = addressOf(addresses, loan.borrower)
    return [
      market('loan', [id], { ...figures, borrower, status: loanStatuses[loan.status] }),
      market('healthFactor', [id], { value: healthFactor }),
      market('arrearsOf', [id], { ...(state.arrears.get(id) ?? { lost: 0n, advanced: 0n }) }),
    ]
  })
  const perBorrower = borrowers.map((borrower) =>
    market('collateralOf', [addressOf(addresses, borrower)], { value: collateralOf(state, borrower) }),
  )
  return [...perLoan, ...perBorrower]
}

function recordProbes(state: LendingState, isFull: boolean): Probe[] {
  const records = [...state.realizations].filter(([, record]) => isFull || record.status === 'OPEN')
  const routed = [...state.routed].filter(([, record]) => isFull || !record.isSettled)
  return [
    ...records.map(([id, record]) => market('realization', [id], { ...record, status: recordStatuses[record.status] })),
    ...routed.map(
      ([id, record]): Probe => ({
        label: `liquidation(${id})`,
        target: 'router',
        contract: 'LiquidationRouter',
        functionName: 'liquidation',
        args: [id],
        expected: {
          collateralAmount: record.collateralAmount,
          collateralRemaining: record.collateralRemaining,
          proceedsCollected: record.proceedsCollected,
          settled: record.isSettled,
          timestamp: record.receivedAt,
          marketLiquidationId: record.realizationId,
          debtOwed: state.realizations.get(record.realizationId)?.claim ?? 0n,
        },
      }),
    ),
  ]
}

function auctionProbes(state: LendingState, now: bigint, isFull: boolean): Probe[] {
  const shown = [...state.auctions].filter(([, auction]) => isFull || auction.isActive)
  return shown.flatMap(([id, auction]) => {
    const { currentPrice, endTime, ...figures } = auctionFigures(state, auction, now)
    const venue = (functionName: string, expected: Probe['expected']): Probe => ({
      label: `auction ${functionName}(${id})`,
      target: 'venue',
      contract: 'DutchAuctionVenue',
      functionName,
      args: [id],
      expected,
    })
    return [
      venue('currentPrice', { value: currentPrice }),
      venue('endTime', { value: endTime }),
      venue('auction', { ...figures, isActive: auction.isActive, realizationId: auction.realizationId }),
    ]
  })
}

function balanceProbes(state: LendingState, addresses: Addresses): Probe[] {
  const balance = (token: string, party: string, value: bigint): Probe => ({
    label: `${token} of ${party}`,
    target: token,
    contract: 'DemoCash',
    functionName: 'balanceOf',
    args: [addressOf(addresses, party)],
    expected: { value },
  })
  return [...actors.slice(1), ...contracts].flatMap((party) => [
    balance('asset', party, state.assets.get(party) ?? 0n),
    balance('token', party, state.collaterals.get(party) ?? 0n),
  ])
}
