import { createDecipheriv, pbkdf2, scrypt } from 'node:crypto'
import { promisify } from 'node:util'
import { Type } from 'typebox'
import { Value } from 'typebox/value'
import { type Hex, keccak256 } from 'viem'

/** A key that cannot be had: told without anything of the key, its file or its password. */
export class KeyUnreadableError extends Error {
  override readonly name = 'KeyUnreadableError'
}

const hex = (bytes?: number) =>
  Type.String({ pattern: bytes ? `^(0x)?[0-9a-fA-F]{${bytes * 2}}$` : '^(0x)?([0-9a-fA-F]{2})*$' })

/** Version 3 of the format that Ethereum clients store keys in. */
const Keystore = Type.Object({
  version: Type.Literal(3),
  crypto: Type.Object({
    cipher: Type.Literal('aes-128-ctr'),
    cipherparams: Type.Object({ iv: hex(16) }),
    // Some clients leave out leading zeros.
    ciphertext: Type.String({ pattern: '^(0x)?([0-9a-fA-F]{2}){1,32}$' }),
    mac: hex(32),
    kdf: Type.String(),
    kdfparams: Type.Unknown(),
  }),
})
const Scrypt = Type.Object({
  dklen: Type.Literal(32),
  // Together they take 128 * n * r bytes: what clients write takes 256 MiB, and nothing here needs more than four times that.
  n: Type.Integer({ minimum: 2, maximum: 2 ** 20 }),
  r: Type.Integer({ minimum: 1, maximum: 64 }),
  p: Type.Integer({ minimum: 1, maximum: 64 }),
  salt: hex(),
})
const Pbkdf2 = Type.Object({
  dklen: Type.Literal(32),
  c: Type.Integer({ minimum: 1, maximum: 100_000_000 }),
  prf: Type.Literal('hmac-sha256'),
  salt: hex(),
})
const MOST_MEMORY = 1024 * 1024 * 1024

const bytes = (text: string): Buffer => Buffer.from(text.replace(/^0x/, ''), 'hex')
const runScrypt = promisify<string, Buffer, number, { N: number; r: number; p: number; maxmem: number }, Buffer>(scrypt)
const runPbkdf2 = promisify(pbkdf2)

async function derive(kdf: string, params: unknown, password: string): Promise<Buffer> {
  if (kdf === 'scrypt' && Value.Check(Scrypt, params)) {
    const { n, r, p, salt } = params
    return runScrypt(password, bytes(salt), 32, { N: n, r, p, maxmem: MOST_MEMORY + 1024 * 1024 })
  }
  if (kdf === 'pbkdf2' && Value.Check(Pbkdf2, params))
    return runPbkdf2(password, bytes(params.salt), params.c, 32, 'sha256')
  throw new KeyUnreadableError('the keystore derives its key in a way that is not known here')
}

function parse(text: string): unknown {
  try {
    const parsed: unknown = JSON.parse(text)
    if (typeof parsed !== 'object' || parsed === null || 'crypto' in parsed || !('Crypto' in parsed)) return parsed
    // As some older clients spell it.
    return { ...parsed, crypto: parsed.Crypto }
  } catch {
    return undefined
  }
}

/** The private key in a keystore. */
export async function openKeystore(text: string, password: string): Promise<Hex> {
  const keystore = parse(text)
  if (!Value.Check(Keystore, keystore)) throw new KeyUnreadableError('the file is no keystore of version 3')
  const { cipherparams, ciphertext, mac, kdf, kdfparams } = keystore.crypto
  const derived = await derive(kdf, kdfparams, password).catch((error: unknown) => {
    if (error instanceof KeyUnreadableError) throw error
    // OpenSSL knows no scrypt with r = 1 and a large n, which a few old clients wrote.
    throw new KeyUnreadableError('the costs of the keystore are not supported; write it anew with the usual ones')
  })
  const sealed = bytes(ciphertext)
  const proof = keccak256(Buffer.concat([derived.subarray(16, 32), sealed]))
  if (proof !== `0x${bytes(mac).toString('hex')}`)
    throw new KeyUnreadableError('the password does not open the keystore')
  const decipher = createDecipheriv('aes-128-ctr', derived.subarray(0, 16), bytes(cipherparams.iv))
  return `0x${Buffer.concat([decipher.update(sealed), decipher.final()])
    .toString('hex')
    .padStart(64, '0')}`
}
