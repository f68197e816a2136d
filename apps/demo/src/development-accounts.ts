import { pbkdf2Sync } from 'node:crypto'
import { toHex } from 'viem'
import { HDKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'

/** The public development phrase of local nodes; its keys are known to everyone and worth nothing. */
const DEVELOPMENT_PHRASE = 'test test test test test test test test test test test junk'

/** Which account of the phrase is whose. */
export const accountIndex = {
  ...{ issuer: 0, lender: 1, trader: 2, outsider: 3, borrower: 4, platform: 9 },
  // Who acts for the stocks, and investors that something befell. The node gives money to the first ten.
  ...{ subIssuer: 5, controller: 6, legalOperator: 7, frozenInvestor: 8, formerInvestor: 10 },
  // Signs nothing on chain: approves what others of the lender built.
  ...{ approver: 11 },
} as const

let known: HDKey | undefined

/** What all accounts are derived from, once the first is wanted. Phrases are slow on purpose, and less so in native code. */
function parent(): HDKey {
  known ??= HDKey.fromMasterSeed(pbkdf2Sync(DEVELOPMENT_PHRASE, 'mnemonic', 2048, 64, 'sha512')).derive(
    "m/44'/60'/0'/0",
  )
  return known
}

export function developmentAccount(index: number): { account: PrivateKeyAccount; privateKey: `0x${string}` } {
  const key = parent().deriveChild(index).privateKey
  if (!key) throw new Error('the development phrase gave no key')
  const privateKey = toHex(key)
  return { account: privateKeyToAccount(privateKey), privateKey }
}
