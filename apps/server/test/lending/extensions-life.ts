import { type Wallet, wallet } from '@tallystick/testkit'
import type { Address, Hex } from 'viem'
import { abis } from '../../src/lending/contracts.ts'
import { must, V2 } from './lending-world.ts'
import { createMarketLife, type LiveMarket } from './market-life.ts'
import type { ProxiedWorld } from './proxied-world.ts'

export const DAY = 86_400

/** A market whose loans mature after thirty days and may be extended, with money and a borrower. */
export async function createExtensionsLife(world: ProxiedWorld, terms: Record<string, unknown> = {}) {
  const life = createMarketLife(world)
  const borrower: Wallet = wallet(5)
  const market = await life.adopted({ maxLoanDurationDays: 30 }, { terms })
  await life.admit(market, [borrower.address])
  await life.fund(market, 100_000)
  await publishTerms(world, market.marketAddress, true)
  const { deployer, node } = world
  const path = (rest = '', one = market) => `${V2}/markets/${one.marketId}/extensions${rest}`
  const chainTime = async () => Number((await node.publicClient.getBlock()).timestamp)
  const propose = (body: unknown, one: LiveMarket = market) => deployer.post(path('', one), body)
  const act = (proposalId: string | number, action: string, body: unknown = {}) =>
    deployer.post(path(`/${proposalId}/${action}`), body)
  const report = (txHash: Hex) => deployer.post(path('/confirm-tx'), { txHash })
  const on = (functionName: string, args: readonly unknown[] = []) =>
    life.call(market.marketAddress, abis.market, functionName, args)

  return {
    ...life,
    market,
    borrower,
    path,
    chainTime,
    propose,
    act,
    report,
    on,
    /** Seconds of chain time, days from now. */
    inDays: async (days: number) => (await chainTime()) + days * DAY,
    lend: () => life.openLoan(market, borrower, { collateral: 100, amount: 1000 }),
    list: async (query = '') => must(await deployer.get(`${path()}${query}`)).body.data,
    /** Built through the interface, signed, reported: the id of the proposal. */
    async proposed(body: Record<string, unknown>): Promise<string> {
      const txHash = await world.sign(deployer.wallet, await propose(body))
      const { activity } = must(await report(txHash)).body.data
      return activity[0].proposalId
    },
    /** An act through the interface; what its report answers. */
    async done(proposalId: string, action: string, body: unknown = {}) {
      const txHash = await world.sign(deployer.wallet, await act(proposalId, action, body))
      return must(await report(txHash)).body.data
    },
  }
}

export type ExtensionsLife = Awaited<ReturnType<typeof createExtensionsLife>>

/** As the lender of record would publish them. */
export async function publishTerms(world: ProxiedWorld, market: Address, providesForExtensions: boolean) {
  const { superuser, node } = world
  await superuser`delete from market_terms where market_address = ${market}`
  await superuser`
    insert into market_terms (chain_id, market_address, version, terms_id, content, content_hash, provides_for_extensions, author,
      published, is_current, created_at)
    values (${node.chainId}, ${market}, 1, gen_random_uuid(), 'terms', '0x00', ${providesForExtensions}, 'lender', true, true, now())`
}
