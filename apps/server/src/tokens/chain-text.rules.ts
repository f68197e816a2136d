const NAME_LIMIT = 256
const SYMBOL_LIMIT = 16

function bytesOf(hex: string): Uint8Array {
  return Uint8Array.from(Buffer.from(hex.slice(2), 'hex'))
}

function word(bytes: Uint8Array, index: number): bigint | null {
  const slice = bytes.subarray(index * 32, index * 32 + 32)
  return slice.length === 32 ? BigInt(`0x${Buffer.from(slice).toString('hex')}`) : null
}

/** The value of a one-word answer, or null when the answer is not one word. */
export function decodeWord(hex: string): bigint | null {
  return hex.length === 66 ? BigInt(hex) : null
}

export function decodeBool(hex: string): boolean | null {
  const value = decodeWord(hex)
  return value === 0n || value === 1n ? value === 1n : null
}

export function decodeAddress(hex: string): string | null {
  const value = decodeWord(hex)
  return value === null || value >= 1n << 160n ? null : `0x${hex.slice(26).toLowerCase()}`
}

function utf8(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return null
  }
}

/** Text as contracts answer it: an ABI string, or 32 bytes padded with zeros as some early tokens do. Null: not readable as text. */
export function decodeText(hex: string): string | null {
  const bytes = bytesOf(hex)
  if (bytes.length === 32) {
    const end = bytes.indexOf(0)
    return utf8(end < 0 ? bytes : bytes.subarray(0, end))
  }
  const offset = word(bytes, 0)
  if (offset === null || offset % 32n !== 0n || offset >= BigInt(bytes.length)) return null
  const length = word(bytes, Number(offset) / 32)
  const start = Number(offset) + 32
  if (length === null || BigInt(start) + length > BigInt(bytes.length)) return null
  return utf8(bytes.subarray(start, start + Number(length)))
}

/** Without control, formatting and other characters that are drawn as nothing, which can make one token look like another. */
function visible(text: string, limit: number): string {
  const cleaned = text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu, '').trim()
  return [...cleaned].slice(0, limit).join('').trim()
}

/** What to show for a contract's name and symbol. `degraded` tells that it is not exactly what the contract answered. */
export function presentNames(
  nameText: string | null,
  symbolText: string | null,
  framework: string,
): { name: string; symbol: string; degraded: boolean } {
  const name = visible(nameText ?? '', NAME_LIMIT)
  const symbol = visible(symbolText ?? '', SYMBOL_LIMIT)
  const standIn = framework.toUpperCase()
  return {
    name: name || symbol || standIn,
    symbol: symbol || visible(name, SYMBOL_LIMIT) || standIn,
    degraded: name === '' || symbol === '' || name !== nameText || symbol !== symbolText,
  }
}
