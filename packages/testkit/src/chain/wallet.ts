import { toHex } from 'viem'
import { mnemonicToAccount, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'

export const devMnemonic = 'test test test test test test test test test test test junk'

export type Wallet = PrivateKeyAccount & { privateKey: `0x${string}` }

const known = new Map<number, Wallet>()

/** The first ten have ether on every test chain. */
export function wallet(index: number): Wallet {
  const found = known.get(index)
  if (found) return found
  const { privateKey } = mnemonicToAccount(devMnemonic, { addressIndex: index }).getHdKey()
  if (!privateKey) throw new Error(`The mnemonic yields no private key at index ${index}`)
  const key = toHex(privateKey)
  const created = { ...privateKeyToAccount(key), privateKey: key }
  known.set(index, created)
  return created
}
