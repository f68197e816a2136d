import { pbkdf2Sync } from 'node:crypto'
import { HDKey, privateKeyToAddress } from 'viem/accounts'
import { type Hex, hexOf } from './hex.ts'

export interface Account {
  address: Hex
  privateKey: Hex
}

/** The first accounts of a BIP-39 phrase. The seed is made once: it is the slow part, and slower still without native code. */
export function accountsOf(mnemonic: string, count: number): Account[] {
  const seed = pbkdf2Sync(mnemonic.normalize('NFKD'), 'mnemonic', 2048, 64, 'sha512')
  const parent = HDKey.fromMasterSeed(seed).derive("m/44'/60'/0'/0")
  return Array.from({ length: count }, (_, index) => {
    const { privateKey } = parent.deriveChild(index)
    if (!privateKey) throw new Error(`the phrase has no account ${index}`)
    const key = hexOf(privateKey)
    return { privateKey: key, address: privateKeyToAddress(key).toLowerCase() as Hex }
  })
}
