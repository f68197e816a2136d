import type { Address } from 'viem'

/** A wallet and everything that is asked about it. Null: not known, because a contract did not answer. */
export interface LienedWallet {
  readonly holder: Address
  readonly token: Address
  /** What each adapter says it has a lien on. */
  readonly liens: readonly { readonly adapter: Address; readonly amount: bigint | null }[]
  /** What the token says is there. */
  readonly found: bigint | null
}

export interface LienVerdict {
  readonly adapter: Address
  readonly holder: Address
  readonly token: Address
  /** UNKNOWN opens no shortfall and heals none. */
  readonly state: 'INTACT' | 'SHORT' | 'UNKNOWN'
  readonly expected: bigint
  readonly found: bigint
  readonly pledged: bigint
}

/**
 * A token that tells what each agent froze is judged agent by agent: nobody's freeze stands in for another's. A split adds to a freeze
 * and not to the lien, so more than the lien is no fault.
 */
export function byAgents(wallet: LienedWallet, frozenBy: readonly (bigint | null)[]): LienedWallet[] {
  if (frozenBy.length !== wallet.liens.length || frozenBy.includes(null)) return [wallet]
  return wallet.liens.map((lien, index) => ({ ...wallet, liens: [lien], found: frozenBy[index] ?? null }))
}

/** One verdict per adapter that has a lien on the wallet: a token does not say whose lien its frozen units are for. */
export function judgeWallet({ holder, token, liens, found }: LienedWallet): LienVerdict[] {
  const isKnown = found !== null && liens.every(({ amount }) => amount !== null)
  const expected = liens.reduce((sum, { amount }) => sum + (amount ?? 0n), 0n)
  return liens.map(({ adapter, amount }) => {
    const pledged = amount ?? 0n
    const figures = { adapter, holder, token, expected, found: found ?? 0n, pledged }
    if (!isKnown) return { ...figures, state: 'UNKNOWN' }
    // Whoever has no lien here any more misses nothing.
    return { ...figures, state: pledged > 0n && found < expected ? 'SHORT' : 'INTACT' }
  })
}

const smaller = (a: bigint, b: bigint) => (a < b ? a : b)

/** What a freezing token really holds for liens: frozen units that are not there secure nothing. */
export const frozenThere = (frozen: bigint | null, balance: bigint | null): bigint | null =>
  frozen === null || balance === null ? null : smaller(frozen, balance)

/** The sum, or null when a part of it is not known. */
export const sumOf = (parts: readonly (bigint | null)[]): bigint | null =>
  parts.reduce<bigint | null>((sum, part) => (sum === null || part === null ? null : sum + part), 0n)
