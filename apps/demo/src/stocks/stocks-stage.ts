import type { Address, Hex } from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import { createDemoClient, type DemoClient } from '../demo-client.ts'
import { createDemoSigning, type DemoCall } from '../demo-signing.ts'
import type { DemoWorld } from '../demo-world.ts'
import { accountIndex, developmentAccount } from '../development-accounts.ts'

/** One write of the interface, to be built and then confirmed on the same route. */
export interface Write {
  readonly path: string
  readonly body: Record<string, unknown>
}

interface UnsignedCall {
  readonly to: Address
  readonly data: Hex
}

/** What the builds of stocks and identities have in common. */
interface Built {
  readonly txData?: UnsignedCall
  readonly transaction?: UnsignedCall
}

/** More than any of them takes. Batches do less with less, and a forecast knows nothing of what is sent just before. */
const GAS = 3_000_000n

export type Person = keyof typeof accountIndex
export const accountOf = (person: Person): PrivateKeyAccount => developmentAccount(accountIndex[person]).account
export const addressOf = (person: Person): Address => accountOf(person).address

/** How the issuer platform acts on its stocks and investors. */
export function createStocksStage(world: DemoWorld) {
  const call: DemoClient = createDemoClient(world.baseUrl, world.instances.issuer?.apiKey ?? '')
  const signing = createDemoSigning(world.rpcUrl)
  const sendAll = (by: PrivateKeyAccount, calls: readonly DemoCall[]) =>
    signing.sendAll(
      by,
      calls.map((one) => ({ gas: GAS, ...one })),
    )

  return {
    world,
    call,
    client: signing.client,
    sendAll,

    /** Built all at once, signed by one wallet in this order, and confirmed. */
    async writeAll(by: PrivateKeyAccount, writes: readonly Write[]): Promise<void> {
      const calls = await Promise.all(
        writes.map(async ({ path, body }) => {
          const { txData, transaction } = await call<Built>('POST', path, body)
          const unsigned = txData ?? transaction
          if (!unsigned) throw new Error(`the demo got nothing to sign from ${path}`)
          return { to: unsigned.to, data: unsigned.data }
        }),
      )
      const mined = await sendAll(by, calls)
      await Promise.all(
        writes.map(({ path, body }, index) => call('POST', path, { ...body, txHash: mined[index]?.hash })),
      )
    },
  }
}

export type StocksStage = ReturnType<typeof createStocksStage>
