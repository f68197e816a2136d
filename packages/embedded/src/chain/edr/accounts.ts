import { pbkdf2Sync } from 'node:crypto'
import { HDKey, privateKeyToAddress } from 'viem/accounts'
import { type Hex, hexOf } from './hex.ts'

export interface Account {
  address: Hex
  privateKey: Hex
}

const DEVELOPMENT_PHRASE = 'test test test test test test test test test test test junk'
const DEFAULT_COUNT = 10

const derived = new Map<string, Account[]>()

/** The first accounts of a BIP-39 phrase. They are a third of what a node takes to start: whoever starts many derives them once. */
export function accountsOf(phrase = DEVELOPMENT_PHRASE, count = DEFAULT_COUNT): Account[] {
  const known = derived.get(phrase)
  if (known && known.length >= count) return known.slice(0, count)
  const seed = pbkdf2Sync(phrase.normalize('NFKD'), 'mnemonic', 2048, 64, 'sha512')
  const parent = HDKey.fromMasterSeed(seed).derive("m/44'/60'/0'/0")
  const accounts = Array.from({ length: count }, (_, index) => {
    const { privateKey } = parent.deriveChild(index)
    if (!privateKey) throw new Error(`the phrase has no account ${index}`)
    const key = hexOf(privateKey)
    return { privateKey: key, address: privateKeyToAddress(key).toLowerCase() as Hex }
  })
  derived.set(phrase, accounts)
  return accounts
}
