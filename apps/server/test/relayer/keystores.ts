import { createCipheriv, randomBytes, scryptSync } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Hex, keccak256 } from 'viem'
import type { RelayerKeys } from '../../src/relayer/index.ts'

const PASSWORD = 'correct horse battery staple'

/** A keystore as clients write it, but cheap to open. */
export function keystoreOf(privateKey: Hex, password = PASSWORD): string {
  const [salt, iv] = [randomBytes(32), randomBytes(16)]
  const derived = scryptSync(password, salt, 32, { N: 2, r: 8, p: 1 })
  const cipher = createCipheriv('aes-128-ctr', derived.subarray(0, 16), iv)
  const ciphertext = Buffer.concat([cipher.update(Buffer.from(privateKey.slice(2), 'hex')), cipher.final()])
  const mac = keccak256(Buffer.concat([derived.subarray(16), ciphertext])).slice(2)
  return JSON.stringify({
    version: 3,
    id: '3198bc9c-6672-5ab3-d995-4942343ae5b6',
    crypto: {
      cipher: 'aes-128-ctr',
      cipherparams: { iv: iv.toString('hex') },
      ciphertext: ciphertext.toString('hex'),
      kdf: 'scrypt',
      kdfparams: { dklen: 32, n: 2, r: 8, p: 1, salt: salt.toString('hex') },
      mac,
    },
  })
}

export interface KeystoreFolder {
  readonly keys: RelayerKeys
  readonly path: string
  put(name: string, text: string): void
  remove(): void
}

/** A folder for keystores, with the password that opens them. */
export function createKeystoreFolder(): KeystoreFolder {
  const path = mkdtempSync(join(tmpdir(), 'tallystick-keystores-'))
  const put = (name: string, text: string) => writeFileSync(join(path, name), text)
  put('password', `${PASSWORD}\n`)
  return {
    keys: { keystoreFolder: path, passwordFile: join(path, 'password') },
    path,
    put,
    remove: () => rmSync(path, { recursive: true, force: true }),
  }
}
