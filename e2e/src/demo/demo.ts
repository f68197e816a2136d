import { type Address, createTally, sendAndWait, type Tally, type Wallet } from '@tallystick/sdk'
import { parseEther } from 'viem'
import { generatePrivateKey } from 'viem/accounts'
import { type DemoFile, labelled } from './demo-file.ts'
import { createDemoWallet } from './demo-wallet.ts'
import { type Observer, observedFetch } from './observer.ts'

/** What a journey is handed. */
export interface Demo {
  readonly file: DemoFile
  /** A client with the key of an instance: issuer, lender, trader or outsider; or of the register. */
  tally(instance: string): Tally
  /** A wallet of the demo by the label that it has in `demo.json`. */
  wallet(label: string): Wallet
  /** A wallet that nobody knows yet, with something to pay for gas. */
  newWallet(name: string): Promise<Wallet>
  token(symbol: string): Address
  contract(name: string): Address
  /** The id of a market in the instance that has a record of it. */
  market(label: string, instance: string): string
  /** The id of an order book. */
  book(label: string): string
  /** Says what comes next. */
  step(title: string): void
  /** Says what came of it. */
  show(what: string, value: unknown): void
}

export function createDemo(file: DemoFile, observer: Observer): Demo {
  const { baseUrl, rpcUrl } = file
  const keys = Object.values(file.instances).flatMap(({ wallets }) => wallets)

  function wallet(label: string): Wallet {
    const known = keys.find((one) => one.label === label)
    if (!known) throw new Error(`the demo has no wallet ${label}, only ${keys.map((one) => one.label).join(', ')}`)
    return createDemoWallet(rpcUrl, known.privateKey, label, observer)
  }

  return {
    file,
    tally: (instance) =>
      createTally({
        ...{ baseUrl, fetch: observedFetch(observer) },
        apiKey: instance === 'register' ? file.registerKey : labelled(file.instances, instance, 'instance').apiKey,
      }),
    wallet,
    async newWallet(name) {
      const created = createDemoWallet(rpcUrl, generatePrivateKey(), name, observer)
      await sendAndWait(wallet('Outsider'), { to: created.account.address, value: parseEther('1') })
      return created
    },
    token: (symbol) => labelled(file.tokens, symbol, 'token'),
    contract: (name) => labelled(file.contracts, name, 'contract'),
    market: (label, instance) =>
      labelled(labelled(file.markets, label, 'market').records, instance, `record of the market ${label} in`),
    book: (label) => labelled(file.orderBooks, label, 'order book').orderBookId,
    step: observer.step,
    show: observer.show,
  }
}
