import type { Clock } from '@tallystick/server/platform'
import type { Address } from 'viem'
import { createDemoClient, type DemoClient } from '../demo-client.ts'
import { createDemoSigning } from '../demo-signing.ts'
import type { DemoWorld } from '../demo-world.ts'
import { accountIndex, developmentAccount } from '../development-accounts.ts'
import type { BookPlan, TraderName } from './trading-plan.ts'

/** A book of the demo, as the interface tells it. */
export interface DemoBook {
  readonly plan: BookPlan
  readonly id: string
  /** Where orders go, and below it the book itself. */
  readonly prefix: string
  readonly path: string
  readonly base: Address
  readonly quote: Address
  /** Null: it settles in the ledger. */
  readonly custody: Address | null
  readonly baseDecimals: number
  readonly quoteDecimals: number
}

export const prefixOf = ({ class: ofClass, custody }: BookPlan): string =>
  `/orderbooks/${ofClass}/api${custody === 'ledger' ? '/offchain' : ''}`

/** Those who act on the demo's books, and how. The issuer platform owns the books, settles their trades, and answers requests. */
export function createTradingStage(world: DemoWorld, clock: Clock) {
  const signing = createDemoSigning(world.rpcUrl)
  const clientOf = (role: string) => createDemoClient(world.baseUrl, world.instances[role]?.apiKey ?? '')
  const [issuer, trader] = [clientOf('issuer'), clientOf('trader')]
  const accountOf = (name: keyof typeof accountIndex) => developmentAccount(accountIndex[name]).account
  const traders = {
    borrower: { call: issuer, account: accountOf('borrower') },
    trader: { call: trader, account: accountOf('trader') },
  }

  return {
    world,
    clock,
    signing,
    issuer: { call: issuer, account: accountOf('issuer') },
    traders,
    /** The customers of a ledger are the issuer platform's, all of them. */
    clientOf: ({ plan }: DemoBook, name: TraderName): DemoClient =>
      plan.custody === 'ledger' ? issuer : traders[name].call,

    tokenOf(symbol: string): Address {
      const token = world.tokens[symbol]
      if (!token) throw new Error(`the demo has no token ${symbol}`)
      return token as Address
    },
  }
}

export type TradingStage = ReturnType<typeof createTradingStage>
