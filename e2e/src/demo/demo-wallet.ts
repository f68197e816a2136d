import type { Hex, Wallet } from '@tallystick/sdk'
import { createWalletClient, http } from 'viem'
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { foundry } from 'viem/chains'
import type { Observer } from './observer.ts'

const POLLING_MS = 40
/** A machine that is busy with other things may be slow. */
const ANSWERED_WITHIN_MS = 30_000

/** Tells of every signature. */
function observedAccount(account: PrivateKeyAccount, name: string, observer: Observer): PrivateKeyAccount {
  return {
    ...account,
    signTransaction: (transaction, options) => {
      const { to, data } = transaction as { to?: Hex; data?: Hex }
      observer.signed(name, { to, data })
      return account.signTransaction(transaction, options)
    },
    signTypedData: (typedData) => {
      observer.signed(name, { typedData: String(typedData.primaryType) })
      return account.signTypedData(typedData)
    },
  }
}

/** A wallet of viem with a key of the demo. */
export function createDemoWallet(rpcUrl: string, privateKey: Hex, name: string, observer: Observer): Wallet {
  return createWalletClient({
    account: observedAccount(privateKeyToAccount(privateKey), name, observer),
    ...{ chain: foundry, transport: http(rpcUrl, { timeout: ANSWERED_WITHIN_MS }), pollingInterval: POLLING_MS },
  })
}
