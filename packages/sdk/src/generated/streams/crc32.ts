// Copied by npm run sdk from packages/wire/src/streams. Do not edit.
const POLYNOMIAL = 0xedb88320

const table = Uint32Array.from({ length: 256 }, (_, byte) => {
  let sum = byte
  for (let bit = 0; bit < 8; bit += 1) sum = sum & 1 ? POLYNOMIAL ^ (sum >>> 1) : sum >>> 1
  return sum
})

/** CRC-32 as in zip and PNG files, of a text of ASCII characters: eight hex digits. */
export function crc32(text: string): string {
  let sum = 0xffffffff
  for (let index = 0; index < text.length; index += 1)
    sum = (table[(sum ^ text.charCodeAt(index)) & 0xff] ?? 0) ^ (sum >>> 8)
  return ((sum ^ 0xffffffff) >>> 0).toString(16).padStart(8, '0')
}
