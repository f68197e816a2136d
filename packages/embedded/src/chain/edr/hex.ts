export type Hex = `0x${string}`

export const toHex = (value: number | bigint): Hex => `0x${value.toString(16)}`
export const bytesOf = (hex: string): Uint8Array => Uint8Array.from(Buffer.from(hex.slice(2), 'hex'))
export const hexOf = (bytes: Uint8Array): Hex => `0x${Buffer.from(bytes).toString('hex')}`
