import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Address } from 'viem'
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { lowered } from '../platform/values/address.rules.ts'
import { KeyUnreadableError, openKeystore } from './keystore-file.ts'
import { SignerUnavailableError, signRemotely } from './remote-signer.ts'
import {
  asSerializable,
  requireSigned,
  type SignedTransaction,
  type TransactionToSign,
  WrongSignatureError,
} from './signed-transaction.rules.ts'

/** How the keys of relayers are reached. */
export interface RelayerKeys {
  /** Where keystores lie. Absent: no relayer signs from a file. */
  readonly keystoreFolder?: string | undefined
  /** Holds the password of every keystore that has none of its own. */
  readonly passwordFile?: string | undefined
  readonly signerTimeoutMs?: number | undefined
}

/** Where the key of one relayer is. */
export interface KeySource {
  readonly address: Address
  readonly keystoreFile: string | null
  readonly passwordFile: string | null
  readonly remoteUrl: string | null
}

export interface Signer {
  sign(transaction: TransactionToSign): Promise<SignedTransaction>
}

const SIGNER_TIMEOUT_MS = 5_000
const plainName = /^[A-Za-z0-9_][A-Za-z0-9._-]{0,199}$/

/** A key that cannot be used just now; everything else is a fault of this program. */
export const isSigningFault = (error: unknown): error is Error =>
  error instanceof KeyUnreadableError || error instanceof SignerUnavailableError || error instanceof WrongSignatureError

export function createSigners(keys: RelayerKeys) {
  /** Opening takes a second and much memory, by intention; an opened key is kept until its files change. */
  const opened = new Map<string, { version: string; account: Promise<PrivateKeyAccount> }>()

  /** Only files of the folder, so that a name can never lead elsewhere. */
  function inFolder(name: string): string {
    if (!keys.keystoreFolder) throw new KeyUnreadableError('RELAYER_KEYSTORE_DIR is not set')
    if (!plainName.test(name)) throw new KeyUnreadableError('a file of the folder of keystores is named without a path')
    return join(keys.keystoreFolder, name)
  }

  async function reading<T>(what: string, read: () => Promise<T>): Promise<T> {
    try {
      return await read()
    } catch (error) {
      throw new KeyUnreadableError(`${what} cannot be read (${(error as NodeJS.ErrnoException).code ?? 'fault'})`)
    }
  }

  async function account(keystoreFile: string, ownPasswordFile: string | null): Promise<PrivateKeyAccount> {
    const keystore = inFolder(keystoreFile)
    const password = ownPasswordFile === null ? keys.passwordFile : inFolder(ownPasswordFile)
    if (!password) throw new KeyUnreadableError('neither RELAYER_PASSWORD_FILE nor a password file of its own is set')
    const [keystoreStat, passwordStat] = await Promise.all([
      reading('the keystore', () => stat(keystore)),
      reading('the password file', () => stat(password)),
    ])
    const version = [keystoreStat, passwordStat].map(({ mtimeMs, size, ino }) => `${mtimeMs} ${size} ${ino}`).join()
    const place = `${keystore}\n${password}`
    const known = opened.get(place)
    if (known?.version === version) return known.account
    const opening = open(keystore, password)
    opened.set(place, { version, account: opening })
    opening.catch(() => opened.delete(place))
    return opening
  }

  async function open(keystore: string, password: string): Promise<PrivateKeyAccount> {
    const [text, secret] = await Promise.all([
      reading('the keystore', () => readFile(keystore, 'utf8')),
      reading('the password file', () => readFile(password, 'utf8')),
    ])
    // The line break that editors put at the end of a file is not part of the password.
    const key = await openKeystore(text, secret.replace(/\r?\n$/, ''))
    try {
      return privateKeyToAccount(key)
    } catch {
      throw new KeyUnreadableError('the keystore holds no usable key')
    }
  }

  return {
    /** The account of a keystore. */
    async addressOf(keystoreFile: string, passwordFile: string | null): Promise<Address> {
      return lowered((await account(keystoreFile, passwordFile)).address)
    },

    /** Proves that the key can be had before anything relies on it. */
    async open({ address, keystoreFile, passwordFile, remoteUrl }: KeySource): Promise<Signer> {
      if (remoteUrl !== null) {
        const timeoutMs = keys.signerTimeoutMs ?? SIGNER_TIMEOUT_MS
        return {
          sign: async (transaction) =>
            requireSigned(await signRemotely(remoteUrl, address, transaction, timeoutMs), transaction, address),
        }
      }
      const local = await account(keystoreFile ?? '', passwordFile)
      if (local.address.toLowerCase() !== address)
        throw new KeyUnreadableError('the keystore holds the key of another account')
      return {
        sign: async (transaction) =>
          requireSigned(await local.signTransaction(asSerializable(transaction)), transaction, address),
      }
    },
  }
}

export type Signers = ReturnType<typeof createSigners>
