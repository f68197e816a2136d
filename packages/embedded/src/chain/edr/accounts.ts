import { createECDH, createHmac, pbkdf2Sync } from 'node:crypto'
import { keccak256 } from 'viem'
import { type Hex, hexOf } from './hex.ts'

export interface Account {
  address: Hex
  privateKey: Hex
}

/** A private key and what its children are derived with, as BIP-32 has them. */
interface Branch {
  key: Buffer
  chainCode: Buffer
}

/** The order of secp256k1. */
const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
const HARDENED = 0x8000_0000
/** m/44'/60'/0'/0 */
const PATH = [44 + HARDENED, 60 + HARDENED, HARDENED, 0]

const numberOf = (bytes: Buffer): bigint => BigInt(`0x${bytes.toString('hex')}`)

function publicKeyOf(key: Buffer, format: 'compressed' | 'uncompressed'): Buffer {
  const pair = createECDH('secp256k1')
  pair.setPrivateKey(key)
  return pair.getPublicKey(null, format)
}

function branchOf(digest: Buffer, parentsKey: bigint): Branch {
  const own = numberOf(digest.subarray(0, 32))
  const key = (own + parentsKey) % ORDER
  // Of 2^127 keys one: BIP-32 says to take the next.
  if (own >= ORDER || key === 0n) throw new Error('the phrase has no such account')
  return { key: Buffer.from(key.toString(16).padStart(64, '0'), 'hex'), chainCode: digest.subarray(32) }
}

const digestOf = (secret: Buffer | string, ...parts: Buffer[]): Buffer =>
  createHmac('sha512', secret).update(Buffer.concat(parts)).digest()

function childOf({ key, chainCode }: Branch, index: number): Branch {
  const number = Buffer.alloc(4)
  number.writeUInt32BE(index)
  const parent = index >= HARDENED ? Buffer.concat([Buffer.alloc(1), key]) : publicKeyOf(key, 'compressed')
  return branchOf(digestOf(chainCode, parent, number), numberOf(key))
}

/** The first accounts of a BIP-39 phrase. By what Node brings: in JavaScript, this took a third of the time that a node takes to start. */
export function accountsOf(mnemonic: string, count: number): Account[] {
  const seed = pbkdf2Sync(mnemonic.normalize('NFKD'), 'mnemonic', 2048, 64, 'sha512')
  const parent = PATH.reduce(childOf, branchOf(digestOf('Bitcoin seed', seed), 0n))
  return Array.from({ length: count }, (_, index) => {
    const { key } = childOf(parent, index)
    const hash = keccak256(publicKeyOf(key, 'uncompressed').subarray(1), 'bytes')
    return { privateKey: hexOf(key), address: hexOf(hash.subarray(12)) }
  })
}
