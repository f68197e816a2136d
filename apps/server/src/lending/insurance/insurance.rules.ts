import { formatUnits } from '../../platform/amounts.rules.ts'
import type { LossSums, TopUpRow } from './insurance.store.ts'

/** Losses in whole units. What the fund paid is a loss too, only not the providers'. */
export function showLosses(sums: LossSums, decimals: number) {
  const amount = (raw: bigint) => formatUnits(raw, decimals)
  const covered = BigInt(sums.covered)
  const settled = BigInt(sums.shortfalls)
  const writtenOff = BigInt(sums.writtenOff)
  const late = BigInt(sums.recoveredLate)
  const borne = settled + writtenOff - late
  const byProviders = borne > 0n ? borne : 0n
  return {
    drawsIndexed: sums.draws,
    requested: amount(BigInt(sums.requested)),
    covered: amount(covered),
    uncovered: amount(BigInt(sums.requested) - covered),
    settledOnPool: amount(settled),
    writtenOff: amount(writtenOff),
    recoveredLate: amount(late),
    borneByProviders: amount(byProviders),
    totalLosses: amount(byProviders + covered),
  }
}

export function showTopUp({ source, amount, txHash, blockTime, finality, recorded }: TopUpRow, decimals: number) {
  return {
    from: source,
    amount: formatUnits(BigInt(amount), decimals),
    amountRaw: amount,
    txHash,
    at: new Date(Number(blockTime) * 1000).toISOString(),
    finality,
    booked: true as const,
    recordedByThisInstance: recorded,
  }
}

export const disclosure = {
  draws:
    'The fund pays on a settlement below the claim, on the write-off after seven days and for what a seizure leaves uncovered, as far as its balance goes. An empty fund, or one that does not list the market, pays nothing and blocks nothing.',
  repayment: 'Cash that arrives late first makes the pool whole on its claim, then repays what the fund advanced.',
  topUp: 'Anybody may add to the fund. What was added cannot be taken back by who gave it.',
  withdrawal: 'The owner of the fund may withdraw from it at any time.',
} as const
