import { pbkdf2Sync } from 'node:crypto'
import { HDKey, privateKeyToAddress } from 'viem/accounts'
import { type Hex, hexOf } from './hex.ts'

export interface Account {
  address: Hex
  privateKey: Hex
}

const DEVELOPMENT_PHRASE = 'test test test test test test test test test test test junk'
const DEFAULT_COUNT = 10

interface Derived {
  readonly parent: HDKey
  readonly accounts: Account[]
}

const known = new Map<string, Derived>()

/** The first accounts of a BIP-39 phrase. They are a third of what a node takes to start: each is derived once. */
export function accountsOf(phrase = DEVELOPMENT_PHRASE, count = DEFAULT_COUNT): Account[] {
  const { parent, accounts } = known.get(phrase) ?? remember(phrase)
  while (accounts.length < count) accounts.push(accountAt(parent, accounts.length))
  return accounts.slice(0, count)
}

function remember(phrase: string): Derived {
  // In native code: phrases are slow on purpose.
  const seed = pbkdf2Sync(phrase.normalize('NFKD'), 'mnemonic', 2048, 64, 'sha512')
  const derived = { parent: HDKey.fromMasterSeed(seed).derive("m/44'/60'/0'/0"), accounts: [] }
  known.set(phrase, derived)
  return derived
}

function accountAt(parent: HDKey, index: number): Account {
  const { privateKey } = parent.deriveChild(index)
  if (!privateKey) throw new Error(`the phrase has no account ${index}`)
  const key = hexOf(privateKey)
  return { privateKey: key, address: privateKeyToAddress(key).toLowerCase() as Hex }
}
