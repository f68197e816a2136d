import { formatUnits } from '../../platform/amounts.rules.ts'
import { isUuid } from '../../platform/ids.ts'
import type { Market } from '../core/index.rules.ts'
import { findDeployedMarket, type MarketCall } from '../core/index.ts'
import type { LoanEvent } from './loan-events.rules.ts'
import { holderOf } from './pledge.rules.ts'
import { findPosition } from './positions.service.ts'
import { listStory, type PositionRow } from './positions.store.ts'
import { statementName, statementOf, statementReference } from './statement.rules.ts'
import { type PdfStatement, renderStatementPdf } from './statement-pdf.ts'

/** More steps than anybody takes; a loan that somebody repays in crumbs must not fill the memory. */
const MOST_EVENTS = 100_000
/** Steps that are printed one by one. */
const MOST_LINES = 2000

const minute = (seconds: number) => `${new Date(seconds * 1000).toISOString().slice(0, 16).replace('T', ' ')} UTC`

/** Nothing of it depends on who asks, or when: only on the events. */
function statementText(market: Market, row: PositionRow, events: readonly LoanEvent[], until: number): PdfStatement {
  const { lines, totals } = statementOf(events)
  const { borrowSymbol, collateralSymbol } = market
  const asset = (raw: bigint) => `${formatUnits(raw, market.borrowDecimals)} ${borrowSymbol}`
  const pledged = (raw: bigint) => `${formatUnits(raw, market.collateralDecimals)} ${collateralSymbol}`
  const last = lines.at(-1)
  const printed = lines.slice(-MOST_LINES)
  const facts: [string, string][] = [
    ['Reference', statementReference(market.address, row.loanId, events)],
    ['Market', `${market.address} on chain ${market.chainId}`],
    ['Loan', `${row.loanId}, opened ${minute(row.openedAt)}`],
    ['Borrower', holderOf(row)],
    ...(row.payee ? [['Paid out to', row.payee] as [string, string]] : []),
    ['Collateral', `${collateralSymbol} ${market.collateralToken} (${market.mode})`],
    ['Borrow asset', `${borrowSymbol} ${market.borrowAsset}`],
    ['Rate', row.rateBps === 0 ? 'variable' : `${row.rateBps} bps a year for the life of the loan`],
    ['Due', row.dueAt === '0' ? 'no maturity' : minute(Number(row.dueAt))],
    ['Status', row.closedAt === null ? row.status : `${row.status}, closed ${minute(row.closedAt)}`],
    ['Drawn in all', asset(totals.drawn)],
    ['Repaid', `${asset(totals.principalRepaid)} principal, ${asset(totals.interestRepaid)} interest`],
    ['Fees', asset(totals.fees)],
    ...(row.liquidatedAt === null
      ? []
      : ([
          ['Seized', `${pledged(totals.seized)} for claims of ${asset(totals.claimed)}`],
          ['Surplus', asset(totals.surplus)],
        ] as [string, string][])),
    ['Principal owed', asset(last?.principal ?? 0n)],
    ['Collateral pledged', pledged(last?.collateral ?? 0n)],
  ]
  return {
    title: `Loan statement ${collateralSymbol} ${row.loanId}`,
    facts,
    columns: ['Time', 'Step', borrowSymbol, 'Principal owed', collateralSymbol],
    rows: printed.map((line) => ({
      cells: [
        minute(line.blockTime),
        line.text,
        line.asset === null ? '' : formatUnits(line.asset, market.borrowDecimals),
        formatUnits(line.principal, market.borrowDecimals),
        line.pledged === null ? '' : formatUnits(line.pledged, market.collateralDecimals),
      ],
      note: `${line.txHash}   collateral pledged ${pledged(line.collateral)}`,
    })),
    notes: [
      ...(printed.length < lines.length
        ? [`${lines.length - printed.length} older steps are counted, not printed.`]
        : []),
      `Made from ${events.length} events of the market's contracts up to ${minute(until)}.`,
      'Principal is what the events leave; interest that has accrued since the last step is not in it.',
      'The reference is the SHA-256 of market, loan and all transaction hashes: the same events make the same file.',
    ],
    createdAt: new Date(until * 1000),
  }
}

/** A loan on paper, from our record alone. */
export function createStatements() {
  return async function statement(call: MarketCall, marketId: string, positionId: string) {
    const { tenant } = call
    const { market } = await findDeployedMarket(call, marketId)
    const story = { market, instanceId: tenant.instanceId, positionId, limit: MOST_EVENTS }
    const [row, events] = await Promise.all([
      findPosition(call, market, positionId),
      isUuid(positionId) ? tenant.read((sql) => listStory(sql, story)) : [],
    ])
    // The newest event may be one of a sale, which the loan itself did not notice.
    const until = events[0]?.blockTime ?? row.lastAt
    const bytes = await renderStatementPdf(statementText(market, row, events.toReversed(), until))
    const name = statementName(market.collateralSymbol, row.loanId, until)
    return { data: null, file: { name, type: 'application/pdf', bytes } }
  }
}

export type GetStatement = ReturnType<typeof createStatements>
