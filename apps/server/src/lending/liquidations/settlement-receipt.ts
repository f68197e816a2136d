import type { Address } from 'viem'
import type { Effect, ReceiptLog } from '../../platform/chain/call-pair.ts'
import { eventsOf } from '../receipt-events.ts'

interface SurplusPaid {
  readonly kind: 'SURPLUS_RETURNED' | 'SURPLUS_ESCROWED'
  readonly loanId: string
  readonly borrower: string
  readonly amount: bigint
}

/** The first settlement of a market's record, as its events tell it. */
export interface SettlementReceipt {
  readonly proceeds: bigint
  readonly covered: bigint
  readonly shortfall: bigint
  readonly penalty: bigint
  readonly recovered: bigint
  readonly debtApplied: bigint
  /** What the insurance fund was asked for in this settlement; null: it was not asked. */
  readonly requested: bigint | null
  readonly surplus: readonly SurplusPaid[]
}

const raw = (effect: Effect, name: string): bigint => BigInt(String(effect[name]))
const kinds = { SurplusReturned: 'SURPLUS_RETURNED', SurplusEscrowed: 'SURPLUS_ESCROWED' } as const
const isSurplus = (name: string): name is keyof typeof kinds => name in kinds

/**
 * What of a record was settled in a transaction, which may hold several calls. `after`: the log that began it. The market tells of the
 * surplus before it tells of the settlement, and names no record with it. Null: this record was not settled.
 */
export function settlementIn(
  market: Address,
  logs: readonly ReceiptLog[],
  realizationId: string,
  after: number,
): SettlementReceipt | null {
  const told = eventsOf('market', market, logs).filter(({ logIndex }) => logIndex > after)
  const end = told.findIndex(
    ({ name, effect }) => name === 'RealizationSettled' && effect.realizationId === realizationId,
  )
  const settled = told[end]
  if (!settled) return null
  const within = told.slice(0, end)
  const ofRecord = (wanted: string) =>
    within.find(({ name, effect }) => name === wanted && effect.realizationId === realizationId)?.effect
  const [drawn, applied] = [ofRecord('ReserveDrawn'), ofRecord('LiquidationDebtApplied')]
  return {
    proceeds: raw(settled.effect, 'proceeds'),
    covered: raw(settled.effect, 'covered'),
    shortfall: raw(settled.effect, 'shortfall'),
    penalty: raw(settled.effect, 'penalty'),
    recovered: raw(settled.effect, 'recovered'),
    debtApplied: applied ? raw(applied, 'amount') : 0n,
    requested: drawn ? raw(drawn, 'requested') : null,
    surplus: within.flatMap(({ name, effect }) =>
      isSurplus(name)
        ? [
            {
              kind: kinds[name],
              loanId: String(effect.loanId),
              borrower: String(effect.borrower),
              amount: raw(effect, 'amount'),
            },
          ]
        : [],
    ),
  }
}
