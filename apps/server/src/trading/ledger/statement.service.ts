import { AppError, fieldError } from '../../platform/app-error.ts'
import { requireAddressField } from '../../platform/chain/address.ts'
import type { TenantDatabase } from '../../platform/db/database.ts'
import { findByHolder } from '../accounts/index.ts'
import { asDecimal } from '../books/index.rules.ts'
import type { TradingParts } from '../parts.ts'
import { customerHolder, customerOf } from '../unit/index.rules.ts'
import { listTokens, type TokenRow } from './ledger.store.ts'
import { type StatementLine, statementName, statementsOf, type TokenStatement } from './statement.rules.ts'
import { readStatement } from './statement.store.ts'
import { type PdfSection, renderAccountPdf } from './statement-pdf.ts'

/** More than anybody reads on paper. */
const MOST_ENTRIES = 10_000

export interface StatementRequest {
  /** Both are there: the form of the request wants them. */
  readonly from?: string | undefined
  readonly to?: string | undefined
  readonly tokenAddress?: string | undefined
}

const minute = (at: Date) => `${at.toISOString().slice(0, 19).replace('T', ' ')} UTC`
const signed = (amount: bigint) => `${amount < 0n ? '−' : '+'}${asDecimal(amount < 0n ? -amount : amount)}`

const words: Record<StatementLine['kind'], string> = {
  OPENING: 'Opening balance',
  CREDIT: 'Credit',
  DEBIT: 'Debit',
  TRADE: 'Trade',
  FEE: 'Fee',
  REBATE: 'Rebate',
}

function stepOf({ kind, other, reference }: StatementLine): string {
  const customer = other === null ? null : customerOf(other)
  const about = kind === 'TRADE' && customer !== null ? ` with ${customer}` : ''
  return `${words[kind]}${about}${reference === null ? '' : `: ${reference}`}`
}

function sectionOf(statement: TokenStatement, token: TokenRow | undefined): PdfSection {
  const symbol = token?.symbol ?? statement.tokenAddress
  const amount = (units: bigint) => `${asDecimal(units)} ${symbol}`
  const { received, sent, fees, rebates, opening, closing, lines } = statement
  return {
    title: token?.name ? `${symbol}: ${token.name}` : symbol,
    facts: [
      ['Token', statement.tokenAddress],
      ['Opening balance', amount(opening)],
    ],
    rows: lines.map((line) => ({
      cells: [minute(line.createdAt), stepOf(line), signed(line.amount), asDecimal(line.balance)],
      note: `${line.entryId}${line.tradeId === null ? '' : `   trade ${line.tradeId}`}`,
    })),
    totals: [
      ['Received', amount(received)],
      ['Sent', amount(sent)],
      ['Fees, part of it', amount(fees)],
      ['Rebates', amount(rebates)],
      ['Closing balance', amount(closing)],
    ],
  }
}

function requirePeriod({ from = '', to = '' }: StatementRequest): { from: Date; to: Date } {
  const period = { from: new Date(from), to: new Date(to) }
  if (period.from >= period.to) throw fieldError('VALIDATION_ERROR', [{ field: 'to', message: 'must be after from' }])
  return period
}

/** The statement of an account of the ledger, as a file. */
export function createStatements({ clock }: TradingParts) {
  return {
    async get(tenant: TenantDatabase, customerRef: string, request: StatementRequest) {
      const { from, to } = requirePeriod(request)
      const holder = customerHolder(customerRef)
      const { tokenAddress: given } = request
      const tokenAddress = given === undefined ? null : requireAddressField('tokenAddress', given)
      const { instanceId } = tenant
      const wanted = { holder, tokenAddress, from, to, most: MOST_ENTRIES + 1 }
      const [[account], rows, tokens] = await Promise.all([
        tenant.read((sql) => findByHolder(sql, instanceId, holder)),
        tenant.read((sql) => readStatement(sql, instanceId, wanted)),
        tenant.read((sql) => listTokens(sql, instanceId)),
      ])
      if (!account) throw new AppError('ACCOUNT_NOT_FOUND')
      if (rows.filter(({ entryId }) => entryId !== null).length > MOST_ENTRIES) throw new AppError('STATEMENT_TOO_LONG')
      const now = clock.now()
      const statements = statementsOf(rows)
      const entries = statements.reduce((count, { lines }) => count + lines.length, 0)
      const bytes = await renderAccountPdf({
        title: 'Account statement',
        facts: [
          ['Account', customerRef],
          ...(account.name === null ? [] : [['Name', account.name] as const]),
          ['Account id', account.accountId],
          ['Instance', instanceId],
          ['From', minute(from)],
          ['Until, not included', minute(to)],
          ['Entries', String(entries)],
        ],
        columns: ['Time', 'Entry', 'Amount', 'Balance'],
        sections: statements.map((one) =>
          sectionOf(
            one,
            tokens.find(({ tokenAddress: known }) => known === one.tokenAddress),
          ),
        ),
        notes: [
          ...(statements.length === 0 ? ['Nothing was ever booked on this account before the end of the period.'] : []),
          `Made from the entries of the ledger on ${minute(now)}. What open orders reserve is part of the balance.`,
        ],
        createdAt: now,
      })
      return { data: null, file: { name: statementName(customerRef, from, to), type: 'application/pdf', bytes } }
    },
  }
}

export type Statements = ReturnType<typeof createStatements>
