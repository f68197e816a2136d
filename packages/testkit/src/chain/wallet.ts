import { accountsOf } from '@tallystick/embedded'
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'

export type Wallet = PrivateKeyAccount & { privateKey: `0x${string}` }

const known = new Map<number, Wallet>()

/** The first ten have ether on every test chain. */
export function wallet(index: number): Wallet {
  const found = known.get(index)
  if (found) return found
  const [derived] = accountsOf(undefined, index + 1).slice(index)
  if (!derived) throw new Error(`the development phrase has no account ${index}`)
  const { privateKey } = derived
  const created = { ...privateKeyToAccount(privateKey), privateKey }
  known.set(index, created)
  return created
}
