import { pbkdf2Sync } from 'node:crypto'
import { toHex } from 'viem'
import { HDKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'

export const devMnemonic = 'test test test test test test test test test test test junk'

export type Wallet = PrivateKeyAccount & { privateKey: `0x${string}` }

const known = new Map<number, Wallet>()
let parent: HDKey | undefined

/** The first ten have ether on every test chain. */
export function wallet(index: number): Wallet {
  const found = known.get(index)
  if (found) return found
  // In native code: phrases are slow on purpose.
  parent ??= HDKey.fromMasterSeed(pbkdf2Sync(devMnemonic, 'mnemonic', 2048, 64, 'sha512')).derive("m/44'/60'/0'/0")
  const { privateKey } = parent.deriveChild(index)
  if (!privateKey) throw new Error(`The mnemonic yields no private key at index ${index}`)
  const key = toHex(privateKey)
  const created = { ...privateKeyToAccount(key), privateKey: key }
  known.set(index, created)
  return created
}
