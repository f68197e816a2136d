import type { BookClass } from '../../src/trading/books/book.rules.ts'
import { unitOfClass } from '../../src/trading/books/book.rules.ts'
import { accountOf } from '../../src/trading/unit/party.rules.ts'
import type { TestInstance } from '../world.ts'
import { newToken } from './offchain-world.ts'
import { newPair, type Venue } from './venue-world.ts'

export interface Pool {
  readonly pair: { tokenAddress: string; quoteTokenAddress: string }
  readonly unitId: string
  /** One per instance. */
  readonly bookIds: readonly string[]
  /** An order on the book of one of the instances, straight into the unit: entry on these classes asks for signatures first. */
  place(index: number, request: { side: 'BUY' | 'SELL'; price: bigint; quantity: bigint }): Promise<void>
}

const TOKEN_TYPES = {
  stocks: 'STOCK_TOKEN',
  commodities: 'LIGHT_TOKEN',
  'external-securities': 'EXTERNAL_SECURITY',
} as const

/** On-chain books of several instances on one pair, which pool their depth. */
export async function createPool(
  venue: Venue,
  bookClass: BookClass,
  instances: readonly TestInstance[],
  given: { tokenAddress?: string } = {},
): Promise<Pool> {
  const pair = { ...newPair(), ...given }
  const custodyContract = newToken()
  const unitId = unitOfClass([bookClass, pair.tokenAddress, pair.quoteTokenAddress, custodyContract])
  const bookIds: string[] = []
  for (const [index, instance] of instances.entries()) {
    const { caller, tenant } = await venue.as(instance)
    const { id } = await venue.books.create(tenant, caller, {
      ...pair,
      class: bookClass,
      name: `Pool ${index}`,
      symbol: 'POOL',
      tokenType: TOKEN_TYPES[bookClass],
      settlementMode: 'ON_CHAIN',
      custodyContract,
      allowSharedLiquidity: true,
      unitId,
    })
    bookIds.push(id)
  }
  let count = 0
  return {
    pair,
    unitId,
    bookIds,
    async place(index, { side, price, quantity }) {
      const [instance, book = ''] = [instances[index], bookIds[index]]
      if (!instance) throw new Error(`there is no instance ${index}`)
      const { caller, tenant } = await venue.as(instance)
      const holder = newToken()
      count += 1
      const orderId = `01890000-0000-7000-8000-${unitId.slice(0, 8)}${String(count).padStart(4, '0')}`
      const common = { side, timeInForce: 'GTC', postOnly: false } as const
      await venue.units.submit(tenant, unitId, {
        grant: caller.grant,
        looks: { instanceId: instance.instanceId, holders: [holder], clientOrderIds: [] },
        perform: (turn) =>
          turn.place(
            {
              kind: 'place',
              at: 0,
              order: orderId,
              book,
              account: accountOf({ instanceId: instance.instanceId, holder }),
              type: 'LIMIT',
              price: Number(price),
              quantity: Number(quantity),
              ...common,
            },
            {
              orderId,
              bookId: book,
              instanceId: instance.instanceId,
              accountId: '01890000-0000-7000-8000-000000000001',
              holder,
              clientOrderId: null,
              orderType: 'LIMIT',
              stpMode: 'NONE',
              expiresAt: null,
              ...common,
            },
          ),
      })
    },
  }
}
