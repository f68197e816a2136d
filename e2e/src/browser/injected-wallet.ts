import type { Page } from 'playwright-core'
import { createWalletClient, type Hex, http } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'

/** What a test has the wallet do next. */
export interface WalletMood {
  chainId: number
  rejects: boolean
  /** As after `disconnect`: it answers nothing any more. */
  isGone: boolean
}

export interface InjectedWallet {
  readonly mood: WalletMood
  /** How often something was sent. */
  readonly sent: Hex[]
  /** As extensions tell pages. */
  emit(event: 'accountsChanged' | 'chainChanged' | 'disconnect', value: unknown): Promise<void>
}

/** In the page: announces itself by EIP-6963 and hands every request to the test. */
const SCRIPT = `
  const listeners = {}
  const provider = {
    request: async (request) => {
      const answer = await globalThis.askWallet(JSON.stringify(request))
      const { result, fault } = JSON.parse(answer)
      if (fault) throw Object.assign(new Error(fault.message), { code: fault.code })
      return result
    },
    on: (event, listener) => { (listeners[event] ??= []).push(listener) },
    removeListener: () => {},
  }
  globalThis.emitFromWallet = (event, value) => { for (const listener of listeners[event] ?? []) listener(value) }
  const info = { uuid: '350670db-19fa-4704-a166-e52e178b59d2', name: 'Test wallet', icon: 'https://example.com/icon.png', rdns: 'com.example.wallet' }
  const announce = () => dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail: Object.freeze({ info, provider }) }))
  addEventListener('eip6963:requestProvider', announce)
  announce()
`

/** A wallet of a browser, with a development key that the test holds. */
export async function injectWallet(
  page: Page,
  privateKey: Hex,
  rpcUrl: string,
  chainId: number,
): Promise<InjectedWallet> {
  const account = privateKeyToAccount(privateKey)
  const client = createWalletClient({ account, transport: http(rpcUrl) })
  const mood: WalletMood = { chainId, rejects: false, isGone: false }
  const sent: Hex[] = []

  async function answer(method: string, params: readonly unknown[]): Promise<unknown> {
    if (mood.isGone) throw Object.assign(new Error('the wallet is not connected'), { code: 4900 })
    if (method === 'eth_requestAccounts' || method === 'eth_accounts') return [account.address]
    if (method === 'eth_chainId') return `0x${mood.chainId.toString(16)}`
    if (mood.rejects) throw Object.assign(new Error('the person said no'), { code: 4001 })
    if (method === 'wallet_switchEthereumChain') {
      mood.chainId = Number((params[0] as { chainId: string }).chainId)
      return null
    }
    if (method === 'personal_sign') return account.signMessage({ message: { raw: params[0] as Hex } })
    if (method === 'eth_sendTransaction') {
      const { to, data } = params[0] as { to?: Hex; data: Hex }
      const hash = await client.sendTransaction({ chain: null, data, ...(to ? { to } : {}) })
      sent.push(hash)
      return hash
    }
    return client.request({ method, params } as never)
  }

  await page.exposeFunction('askWallet', async (text: string) => {
    const { method, params = [] } = JSON.parse(text) as { method: string; params?: unknown[] }
    try {
      return JSON.stringify({ result: (await answer(method, params)) ?? null })
    } catch (error) {
      const { code = -32_000, message } = error as { code?: number; message: string }
      return JSON.stringify({ fault: { code, message } })
    }
  })
  await page.addInitScript(SCRIPT)
  return {
    mood,
    sent,
    emit: async (event, value) => {
      await page.evaluate(`emitFromWallet(${JSON.stringify(event)}, ${JSON.stringify(value)})`)
    },
  }
}
