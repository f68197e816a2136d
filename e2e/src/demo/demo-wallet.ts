import type { Hex, Wallet } from '@tallystick/sdk'
import { createWalletClient, custom, http, parseTransaction, type TransactionSerializable } from 'viem'
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { foundry } from 'viem/chains'
import type { Observer } from './observer.ts'

const POLLING_MS = 40
const TRIES = 5

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
  const account = privateKeyToAccount(privateKey)
  const { request } = http(rpcUrl)({ chain: foundry })

  /** The demo's own keeper signs with the same development keys: whoever comes second takes the next number. */
  async function sendRaw(serialized: Hex): Promise<unknown> {
    let signed = serialized
    for (let tries = 1; ; tries += 1) {
      try {
        return await request({ method: 'eth_sendRawTransaction', params: [signed] })
      } catch (error) {
        if (tries === TRIES || !/nonce too low|underpriced/i.test(String(error))) throw error
        const counted = await request({ method: 'eth_getTransactionCount', params: [account.address, 'pending'] })
        const { r, s, v, yParity, ...unsigned } = parseTransaction(signed)
        signed = await account.signTransaction({ ...unsigned, nonce: Number(counted) } as TransactionSerializable)
      }
    }
  }

  const transport = custom({
    request: ({ method, params }: { method: string; params?: readonly Hex[] }) =>
      method === 'eth_sendRawTransaction' && params?.[0] ? sendRaw(params[0]) : request({ method, params } as never),
  })
  return createWalletClient({
    ...{ account: observedAccount(account, name, observer), chain: foundry, transport },
    pollingInterval: POLLING_MS,
  })
}
