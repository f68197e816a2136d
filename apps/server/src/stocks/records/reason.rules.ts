import { type Hex, hexToBytes, keccak256, stringToBytes, toHex, zeroHash } from 'viem'

/** What 32 bytes hold with a zero byte to spare, by which a text is told from a hash. */
const LONGEST_ON_CHAIN = 31

export interface EncodedReason {
  readonly bytes32: Hex
  /** The words, where the chain holds only their hash. */
  readonly words: string | null
}

/** Short words stand on chain as they are; of longer ones their hash does. */
export function encodeReason(text: string | undefined): EncodedReason {
  if (text === undefined) return { bytes32: zeroHash, words: null }
  const bytes = stringToBytes(text)
  return bytes.length <= LONGEST_ON_CHAIN
    ? { bytes32: padRight(bytes), words: null }
    : { bytes32: keccak256(bytes), words: text }
}

function padRight(bytes: Uint8Array): Hex {
  const padded = new Uint8Array(32)
  padded.set(bytes)
  return toHex(padded)
}

/** The words that stand on chain; null: none do, or it is a hash. */
export function readReason(bytes32: string): string | null {
  const bytes = hexToBytes(bytes32 as Hex)
  if (bytes.at(-1) !== 0 || bytes32 === zeroHash) return null
  const end = bytes.indexOf(0)
  if (bytes.subarray(end).some((byte) => byte !== 0)) return null
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes.subarray(0, end))
  } catch {
    return null
  }
}
