import { type Address, createTally, followBook, type Hex, signAndConfirm, TallyError } from '@tallystick/sdk'
import { createWalletClient, http } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { foundry } from 'viem/chains'

export interface PageSettings {
  readonly baseUrl: string
  readonly rpcUrl: string
  readonly apiKey: string
  readonly privateKey: Hex
  readonly recipient: Address
  readonly tokenAddress: Address
  readonly orderBookId: string
}

export interface PageReport {
  readonly instanceId: string
  readonly refused: { readonly code: string; readonly requestId: string | undefined }
  readonly issued: string
  readonly firstMessage: string
}

/** What a page does with the SDK: reads, is refused, writes on chain, follows a book. */
async function run(settings: PageSettings): Promise<PageReport> {
  const { baseUrl, apiKey, rpcUrl, tokenAddress, orderBookId } = settings
  const { access, stocks, trading } = createTally({ baseUrl, apiKey })
  const { data: instance } = await access.getInstance()
  const refusal = await trading.getOrderBook({ params: { orderBookId: 'none' } }).catch((error: unknown) => error)
  if (!(refusal instanceof TallyError)) throw new Error(`not refused, but ${String(refusal)}`)

  const account = privateKeyToAccount(settings.privateKey)
  const wallet = createWalletClient({ account, chain: foundry, transport: http(rpcUrl), pollingInterval: 100 })
  const shares = { recipient: settings.recipient, amount: '3', reason: 'From a page' }
  const { confirmed } = await signAndConfirm(stocks.issueShares, { params: { tokenAddress }, body: shares }, wallet)

  let firstMessage = ''
  for await (const { message } of followBook(trading.streamOrderBook, { params: { orderBookId } })) {
    firstMessage = message.type
    break
  }
  return {
    instanceId: instance.instanceId,
    refused: { code: refusal.code, requestId: refusal.requestId },
    issued: confirmed.amount,
    firstMessage,
  }
}

Object.assign(globalThis, { run })
