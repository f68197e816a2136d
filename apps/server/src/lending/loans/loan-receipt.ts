import { type Address, erc20Abi, parseEventLogs } from 'viem'
import { formatUnits } from '../../platform/amounts.rules.ts'
import type { MinedTransaction } from '../../platform/chain/transaction.ts'
import type { Market } from '../core/index.rules.ts'
import { eventsOf } from '../core/index.ts'

/** What the market said about one loan when it was drawn on. */
export function eventOfLoan({ address }: Market, eventName: string, loanId: string, { logs }: MinedTransaction) {
  const said = eventsOf('market', address, logs)
  return said.find(({ name, effect }) => name === eventName && effect.loanId === loanId)?.effect
}

/** What vaults gave for one draw: a transaction may hold several, each of which tells its vaults first. */
export function vaultDrawsOf({ address, borrowDecimals }: Market, { logs }: MinedTransaction, drawIndex: number) {
  const before = eventsOf('market', address, logs).filter(({ logIndex }) => logIndex < drawIndex)
  const earlier = before.findLastIndex(({ name }) => name === 'LoanOpened' || name === 'LoanIncreased')
  return before
    .slice(earlier + 1)
    .filter(({ name }) => name === 'VaultDrawn')
    .map(({ effect }) => ({
      vault: String(effect.vault),
      amount: formatUnits(BigInt(String(effect.amount)), borrowDecimals),
    }))
}

/** Whom the market paid for a draw: its next transfer of the borrow asset. Null: the asset does not tell. */
export function paidToOf({ address, borrowAsset }: Market, { logs }: MinedTransaction, drawIndex: number) {
  const later = logs.filter((log) => log.logIndex > drawIndex && log.address === borrowAsset)
  const transfers = parseEventLogs({ abi: erc20Abi, eventName: 'Transfer', logs: later as never })
  const paid = transfers.find(({ args }) => args.from.toLowerCase() === address)
  return paid ? (paid.args.to.toLowerCase() as Address) : null
}

/** What an adapter without its role could not unfreeze: the first such word behind the withdrawal. */
export function deferredAfter({ mode, adapter }: Market, { logs }: MinedTransaction, logIndex: number): bigint | null {
  if (mode !== 'FREEZE') return null
  const later = eventsOf('freezeAdapter', adapter, logs).filter((one) => one.logIndex > logIndex)
  const deferred = later.find(({ name }) => name === 'ReleaseDeferred')
  return deferred ? BigInt(String(deferred.effect.amount)) : null
}
