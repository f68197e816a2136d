import { randomBytes } from 'node:crypto'
import type { Sql } from 'postgres'
import { connectSuperuser } from '../superuser.ts'
import { createWorld, type TestAnswer, type TestInstance, type World, type WorldOptions } from '../world.ts'

export const OFFCHAIN = '/orderbooks/stocks/api/offchain'
/** One whole unit of base or quote. */
export const ONE = 1_000_000n

export const newToken = (): string => `0x${randomBytes(20).toString('hex')}`

type RequestFields = Record<string, unknown>

export interface OffchainWorld extends World {
  readonly instance: TestInstance
  readonly superuser: Sql
  /** A book on two registered tokens. */
  createBook(request?: RequestFields, instance?: TestInstance): Promise<TestBook>
  credit(customerRef: string, tokenAddress: string, amount: bigint, instance?: TestInstance): Promise<void>
}

export interface TestBook {
  readonly id: string
  readonly base: string
  readonly quote: string
  /** Gives customers plenty of both tokens. */
  fund(...customers: string[]): Promise<void>
  submit(customerRef: string, request?: RequestFields, headers?: Record<string, string>): Promise<TestAnswer>
  buy(customerRef: string, price: bigint, quantity: bigint, request?: RequestFields): Promise<TestAnswer>
  sell(customerRef: string, price: bigint, quantity: bigint, request?: RequestFields): Promise<TestAnswer>
  get(path: string): Promise<TestAnswer>
  balance(customerRef: string, tokenAddress: string): Promise<{ total: string; reserved: string; available: string }>
}

const PLENTY = 1_000_000_000n * ONE

/** The product with an instance that runs off-chain books. */
export async function createOffchainWorld(options: WorldOptions = {}): Promise<OffchainWorld> {
  const world = await createWorld(options)
  const instance = await world.createInstance()
  const superuser = connectSuperuser(world.databaseUrl)

  async function must(answer: Promise<TestAnswer>): Promise<TestAnswer> {
    const given = await answer
    if (given.status !== 200) throw new Error(given.text)
    return given
  }

  const credit: OffchainWorld['credit'] = async (customerRef, tokenAddress, amount, of = instance) => {
    const body = { customerRef, tokenAddress, amount: amount.toString() }
    await must(of.call('POST', `${OFFCHAIN}/ledger/credit`, { body }))
  }

  return {
    ...world,
    instance,
    superuser,
    credit,
    async createBook(request = {}, of = instance) {
      const [base, quote] = [newToken(), newToken()]
      for (const [tokenAddress, symbol] of [
        [base, 'BASE'],
        [quote, 'QUOTE'],
      ])
        await must(of.call('POST', `${OFFCHAIN}/ledger/tokens`, { body: { tokenAddress, symbol } }))
      const body = { tokenAddress: base, quoteTokenAddress: quote, name: 'Nordlicht', symbol: 'NORD', ...request }
      const { id } = (await must(of.call('POST', `${OFFCHAIN}/order-books`, { body }))).body.data as { id: string }
      const submit: TestBook['submit'] = (customerRef, order = {}, headers = {}) =>
        of.call('POST', `${OFFCHAIN}/orders`, { headers, body: { orderBookId: id, customerRef, ...order } })
      const limit =
        (side: string): TestBook['buy'] =>
        (customerRef, price, quantity, order = {}) =>
          submit(customerRef, {
            side,
            orderType: 'LIMIT',
            price: price.toString(),
            quantity: quantity.toString(),
            ...order,
          })
      return {
        id,
        base,
        quote,
        submit,
        buy: limit('BUY'),
        sell: limit('SELL'),
        async fund(...customers) {
          for (const customer of customers) for (const token of [base, quote]) await credit(customer, token, PLENTY, of)
        },
        get: (path) => of.call('GET', `${OFFCHAIN}/order-books/${id}${path}`),
        async balance(customerRef, tokenAddress) {
          const path = `${OFFCHAIN}/ledger/balances?customerRef=${customerRef}&tokenAddress=${tokenAddress}`
          const [found] = (await must(of.call('GET', path))).body.data.balances
          const { total, reserved, available } = found ?? { total: '0', reserved: '0', available: '0' }
          return { total, reserved, available }
        },
      }
    },
    async close() {
      await superuser.end()
      await world.close()
    },
  }
}
