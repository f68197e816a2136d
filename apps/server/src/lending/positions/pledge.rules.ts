import { type Address, zeroAddress } from 'viem'
import type { Pledge } from './compliance.rules.ts'
import type { PositionRow } from './positions.store.ts'

/** Who holds a loan now, as far as our record knows. */
export const holderOf = ({ rebounds, opener }: Pick<PositionRow, 'rebounds' | 'opener'>): Address =>
  (rebounds.at(-1)?.wallet ?? opener) as Address

/** Whom and what to ask the token about. A loan that our record does not know is nobody's. */
export const pledgeOf = (row: PositionRow | undefined): Pledge =>
  row ? { holder: holderOf(row), amount: BigInt(row.pledged) } : { holder: zeroAddress, amount: 0n }
