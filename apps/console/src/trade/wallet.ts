import type { Address, Hex, Wallet } from '@tallystick/sdk'
import { createWalletClient, custom } from 'viem'
import { demoSignOrder, type Session } from '../api/access.ts'
import type { Connection, Provider } from '../api/wallets.ts'

/** The development wallet of the demo, as a wallet of the browser would be asked. It signs orders and nothing else. */
const demoProvider = (chainId: number): Provider => ({
  async request({ method, params }) {
    if (method === 'eth_chainId') return `0x${chainId.toString(16)}`
    if (method !== 'eth_signTypedData_v4') throw new TypeError(`the development wallet does not know ${method}`)
    const [, typed] = params as [Address, string]
    const { domain, message } = JSON.parse(typed) as { domain: object; message: object }
    return (await demoSignOrder({ domain, order: message })).signature satisfies Hex
  },
})

/** Whoever signs orders: the wallet of the demo, or the one that is connected. */
export function orderWallet(session: Session, connection: Connection | undefined, isDemo: boolean): Wallet | undefined {
  const provider = connection?.wallet.provider ?? (isDemo ? demoProvider(session.instance.chainId) : undefined)
  const account = connection?.address ?? session.user?.address
  if (!provider || !account) return undefined
  return createWalletClient({ account, transport: custom(provider as Parameters<typeof custom>[0]) })
}
