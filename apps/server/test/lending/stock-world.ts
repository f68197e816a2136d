import { identityRegistryAbi, stockTokenAbi } from '@tallystick/abi'
import { deployStockSuite, send, type Wallet, wallet } from '@tallystick/testkit'
import type { Address, Hex } from 'viem'
import { createLienWatch } from '../../src/lending/watch/watch-liens.service.ts'
import { formatUnits } from '../../src/platform/amounts.rules.ts'
import { systemRandom } from '../../src/platform/random.ts'
import { createLendingWorld, type LendingWorld, must } from './lending-world.ts'
import type { Collateral } from './story-collateral.ts'

/** The prefix that serves markets on our own stock tokens alone. */
export const STOCK_LENDING = '/lending-stocks/api'
const STOCKS = '/stocks/api'
const IDENTITY = '/customers/api/identity'

const profile = { issuerName: 'Nordlicht Windpark AG', jurisdiction: 'DE', isin: 'DE000A1EWWW0' }

/** A stock of the deployer's, with everything that its company does for its shares, through the interface. */
export interface Stock extends Collateral {
  /** Builds, signs and confirms one write of the stocks surface; what the confirmation says. */
  write(path: string, body: Record<string, unknown>, by?: Wallet): Promise<Record<string, unknown>>
  /** Answers which rule stands against a transfer, or `SUCCESS`. */
  ruleAgainst(from: Address, to: Address, amount: string): Promise<string>
  view<T>(functionName: string, args: readonly unknown[]): Promise<T>
}

/** A world whose deployer is also the issuer of stocks and the examiner of investors. */
export async function createStockLendingWorld() {
  const world = await createLendingWorld()
  const { node, deployer } = world
  const suite = await deployStockSuite(node)
  const record = (name: string, address: Address) => world.superuser`
    insert into deployed_contracts (chain_id, name, address, recorded_at) values (${node.chainId}, ${name}, ${address}, now())`
  await record('IdentityRegistry', suite.identityRegistry)
  await send(node, {
    address: suite.identityRegistry,
    abi: identityRegistryAbi,
    functionName: 'addKYCProvider',
    args: [deployer.wallet.address, 'Examined Ltd'],
  })
  return {
    ...world,
    stockSuite: suite,
    /** Until then this deployment has no stocks of its own. */
    recordStockFactory: () => record('StockFactory', suite.stockFactory),
    async passOfLienWatch() {
      const [served] = world.chains.all
      if (!served) throw new Error('the world serves no chain')
      return createLienWatch({ database: world.database, clock: world.clock, random: systemRandom }).pass(served)
    },
  }
}

export type StockLendingWorld = Awaited<ReturnType<typeof createStockLendingWorld>>

/** Made, recorded and described by the deployer's instance. */
export async function createStock(world: LendingWorld, request: Record<string, unknown> = {}): Promise<Stock> {
  const { node, deployer, lender } = world
  const known = new Set<Address>()

  async function carryOut(path: string, body: Record<string, unknown>, by: Wallet = deployer.wallet) {
    const { txData, transaction } = must(await deployer.post(path, body)).body.data
    const txHash = await world.sendRaw(by, txData ?? transaction)
    return must(await deployer.post(path, { ...body, txHash })).body.data
  }

  const terms = { name: 'Nordlicht Windpark AG', symbol: 'NORD', isin: profile.isin, ...request }
  const issuerAddress = deployer.wallet.address
  const made = await carryOut(`${STOCKS}/tokenization/deploy`, { ...terms, issuerAddress })
  const token: Address = made.tokenAddress
  must(await deployer.call('PUT', `/external-tokens/api/${token}/profile`, { body: { profile } }))
  const write: Stock['write'] = (path, body, by) => carryOut(`${STOCKS}/${path.replace('TOKEN', token)}`, body, by)

  return {
    token,
    write,
    async know(holders) {
      for (const holder of holders.filter((one) => !known.has(one))) {
        await carryOut(`${IDENTITY}/verify`, { walletAddress: holder, country: 'DEU' })
        known.add(holder)
      }
    },
    async mint(to, amount) {
      await write('tokenization/TOKEN/issue', { recipient: to, amount: formatUnits(amount, 18) })
    },
    /** What the steps of the market tell the issuer to sign, reported where confirmations go. */
    async admit({ marketId }) {
      const path = `${STOCK_LENDING}/markets/${marketId}`
      const { calldata } = must(await lender.get(`${path}/setup-steps`)).body.data
      for (const [action, call] of Object.entries(calldata as Record<string, { to: Address; data: Hex }>)) {
        if (call.to !== token) continue
        const txHash = await world.sendRaw(wallet(0), call)
        must(await lender.post(`${path}/confirm-configuration`, { txHash, action }))
      }
    },
    async ruleAgainst(from, to, amount) {
      const asked = `fetch/${token}/can-transfer?from=${from}&to=${to}&amount=${amount}`
      return must(await deployer.get(`${STOCKS}/${asked}`)).body.data.rule
    },
    view: <T>(functionName: string, args: readonly unknown[]) =>
      node.publicClient.readContract({ address: token, abi: stockTokenAbi, functionName, args } as never) as Promise<T>,
  }
}
