import { type Address, type Hex, hexToBytes, keccak256 } from 'viem'

type Curve = typeof import('tiny-secp256k1')

/** The curve as compiled C: what viem brings is written in JavaScript and takes eight times as long. Loaded by the first signature. */
let curve: Promise<Curve> | undefined

const SIGNATURE_BYTES = 65
/** The last byte says which of two points is meant: as 27 or 28, or as 0 or 1. */
const PARITIES = new Map<number, 0 | 1>([
  [0, 0],
  [1, 1],
  [27, 0],
  [28, 1],
])

/** Whose key signed the hash, in lower case. Undefined: nobody's; a contract may still take it for its signature. */
export async function signerOf(hash: Hex, signature: Hex): Promise<Address | undefined> {
  curve ??= import('tiny-secp256k1')
  const { recover } = await curve
  try {
    const bytes = hexToBytes(signature)
    const parity = bytes.length === SIGNATURE_BYTES ? PARITIES.get(bytes[SIGNATURE_BYTES - 1] ?? -1) : undefined
    if (parity === undefined) return undefined
    const point = recover(hexToBytes(hash), bytes.subarray(0, SIGNATURE_BYTES - 1), parity, false)
    return point ? `0x${keccak256(point.subarray(1)).slice(-40)}` : undefined
  } catch {
    // No bytes, or numbers that are none of the curve.
    return undefined
  }
}
