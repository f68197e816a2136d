/** Who trades: a wallet, or a customer of an instance's ledger. */
export interface Party {
  readonly instanceId: string
  readonly holder: string
}

const ID_LENGTH = 36

/** The name an account has in a matching unit: it says by itself whose it is, so that the journal needs no other table. */
export const accountOf = ({ instanceId, holder }: Party): string => `${instanceId} ${holder}`

export const partyOf = (account: string): Party => ({
  instanceId: account.slice(0, ID_LENGTH),
  holder: account.slice(ID_LENGTH + 1),
})

const OFFCHAIN = 'offchain:'

export const customerHolder = (customerRef: string): string => `${OFFCHAIN}${customerRef}`

/** Null: a holder that is no customer. */
export const customerOf = (holder: string): string | null =>
  holder.startsWith(OFFCHAIN) ? holder.slice(OFFCHAIN.length) : null
