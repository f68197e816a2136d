export interface StatementRow {
  /** Null: the balance that the period began with. */
  readonly entryId: string | null
  readonly kind: 'OPENING' | 'CREDIT' | 'DEBIT' | 'TRADE' | 'FEE' | 'REBATE'
  readonly tokenAddress: string
  /** Negative: it left the account. */
  readonly amount: bigint
  /** Where it came from or went to. */
  readonly other: string | null
  readonly tradeId: string | null
  readonly reference: string | null
  readonly createdAt: Date
}

export interface StatementLine extends StatementRow {
  readonly balance: bigint
}

/** One token of an account over a period. */
export interface TokenStatement {
  readonly tokenAddress: string
  readonly opening: bigint
  readonly lines: readonly StatementLine[]
  readonly received: bigint
  readonly sent: bigint
  /** Part of what was sent. */
  readonly fees: bigint
  /** Part of what was received. */
  readonly rebates: bigint
  readonly closing: bigint
}

const sum = (rows: readonly StatementRow[], amountOf: (row: StatementRow) => bigint) =>
  rows.reduce((total, row) => total + amountOf(row), 0n)

const received = ({ amount }: StatementRow) => (amount > 0n ? amount : 0n)
const sent = ({ amount }: StatementRow) => (amount < 0n ? -amount : 0n)

function statementOfToken(tokenAddress: string, rows: readonly StatementRow[]): TokenStatement {
  const opening = sum(
    rows.filter(({ entryId }) => entryId === null),
    ({ amount }) => amount,
  )
  const entries = rows.filter(({ entryId }) => entryId !== null)
  let balance = opening
  const lines = entries.map((row) => {
    balance += row.amount
    return { ...row, balance }
  })
  const ofKind = (kind: StatementRow['kind']) => entries.filter((row) => row.kind === kind)
  return {
    tokenAddress,
    opening,
    lines,
    received: sum(entries, received),
    sent: sum(entries, sent),
    fees: sum(ofKind('FEE'), sent),
    rebates: sum(ofKind('REBATE'), received),
    closing: balance,
  }
}

/** The account token by token. Rows come oldest first. */
export function statementsOf(rows: readonly StatementRow[]): TokenStatement[] {
  const tokens = [...new Set(rows.map(({ tokenAddress }) => tokenAddress))].sort()
  return tokens.map((token) =>
    statementOfToken(
      token,
      rows.filter(({ tokenAddress }) => tokenAddress === token),
    ),
  )
}

const day = (at: Date) => at.toISOString().slice(0, 10)

/** A name that every system takes, whatever the account is called. */
export function statementName(customerRef: string, from: Date, to: Date): string {
  const plain = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(customerRef) ? customerRef : 'account'
  return `Account-Statement_${plain}_${day(from)}_${day(to)}.pdf`
}
