import type { Address, Hex } from '@tallystick/sdk'
import { useSyncExternalStore } from 'react'

/** EIP-1193. */
export interface Provider {
  request(request: { method: string; params?: unknown }): Promise<unknown>
  on?(event: string, listener: (value: never) => void): void
  removeListener?(event: string, listener: (value: never) => void): void
}

/** EIP-6963: what a wallet says about itself. The picture is only shown when it is data, so that nothing is fetched for it. */
export interface KnownWallet {
  readonly info: { readonly uuid: string; readonly name: string; readonly icon: string; readonly rdns: string }
  readonly provider: Provider
}

export interface Connection {
  readonly wallet: KnownWallet
  readonly address: Address
  readonly chainId: number
}

let known: readonly KnownWallet[] = []
let connection: Connection | undefined
const listeners = new Set<() => void>()
const tell = () => {
  for (const listener of listeners) listener()
}
const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

interface Announcement extends Event {
  readonly detail?: KnownWallet
}

/** Wallets introduce themselves, now or later. */
export function discoverWallets(): void {
  window.addEventListener('eip6963:announceProvider', (event: Announcement) => {
    const wallet = event.detail
    if (!wallet?.info || typeof wallet.provider?.request !== 'function') return
    if (known.some(({ info }) => info.uuid === wallet.info.uuid)) return
    known = [...known, wallet]
    tell()
  })
  window.dispatchEvent(new Event('eip6963:requestProvider'))
}

const firstOf = (accounts: unknown): Address | undefined =>
  Array.isArray(accounts) && typeof accounts[0] === 'string' ? (accounts[0].toLowerCase() as Address) : undefined

function follow(wallet: KnownWallet): void {
  const { provider } = wallet
  provider.on?.('accountsChanged', (accounts: readonly string[]) => {
    if (connection?.wallet !== wallet) return
    const address = firstOf(accounts)
    connection = address === undefined ? undefined : { ...connection, address }
    tell()
  })
  provider.on?.('chainChanged', (chainId: string) => {
    if (connection?.wallet !== wallet) return
    connection = { ...connection, chainId: Number(chainId) }
    tell()
  })
  provider.on?.('disconnect', () => {
    if (connection?.wallet !== wallet) return
    connection = undefined
    tell()
  })
}

const followed = new WeakSet<KnownWallet>()

export async function connect(wallet: KnownWallet): Promise<Connection> {
  const address = firstOf(await wallet.provider.request({ method: 'eth_requestAccounts' }))
  if (address === undefined) throw new Error(`${wallet.info.name} gave no account`)
  const chainId = Number(await wallet.provider.request({ method: 'eth_chainId' }))
  if (!followed.has(wallet)) {
    followed.add(wallet)
    follow(wallet)
  }
  connection = { wallet, address, chainId }
  tell()
  return connection
}

export const useWallets = () => useSyncExternalStore(subscribe, () => known)
export const useConnection = () => useSyncExternalStore(subscribe, () => connection)

const toHexText = (text: string): Hex =>
  `0x${[...new TextEncoder().encode(text)].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`

export async function signText({ wallet, address }: Connection, text: string): Promise<Hex> {
  return (await wallet.provider.request({ method: 'personal_sign', params: [toHexText(text), address] })) as Hex
}

export async function sendWithWallet(
  { wallet, address }: Connection,
  call: { to: Address | null; data: Hex; gas?: bigint | undefined },
): Promise<Hex> {
  const { to, data, gas } = call
  const transaction = {
    from: address,
    data,
    ...(to === null ? {} : { to }),
    ...(gas === undefined ? {} : { gas: `0x${gas.toString(16)}` }),
  }
  return (await wallet.provider.request({ method: 'eth_sendTransaction', params: [transaction] })) as Hex
}

export async function isMined({ wallet }: Connection, hash: Hex): Promise<boolean> {
  return (await wallet.provider.request({ method: 'eth_getTransactionReceipt', params: [hash] })) !== null
}

export async function switchChain({ wallet }: Connection, chainId: number): Promise<void> {
  await wallet.provider.request({
    method: 'wallet_switchEthereumChain',
    params: [{ chainId: `0x${chainId.toString(16)}` }],
  })
}

/** Only what comes with the announcement itself. */
export const iconOf = ({ info }: KnownWallet): string | undefined =>
  info.icon.startsWith('data:image/') ? info.icon : undefined
