import type { DemoWorld } from '../demo-world.ts'
import { ensureProofs, missingClaims, missingRevocation } from './claims.ts'
import { type DemoStock, findStocks, missingDeployments, publishStocks } from './deploy-stocks.ts'
import { appointments, ensureFrozenWallet, ensureVerified, identityOf, isKnown } from './identities.ts'
import { borrowersClaims } from './identity-plan.ts'
import { missingWrites, writesOfOthers } from './share-writes.ts'
import { lastWrites } from './stock-plan.ts'
import { accountOf, addressOf, createStocksStage, type StocksStage } from './stocks-stage.ts'

/** The stocks of the issuer platform. Makes only what is missing and writes them into the world. */
export async function ensureStockTokens(world: DemoWorld): Promise<void> {
  const stage = createStocksStage(world)
  const stocks = await findStocks(stage)
  if (!(await isComplete(stage, stocks))) {
    await stage.sendAll(accountOf('issuer'), missingDeployments(stage, stocks))
    await publishStocks(stage, stocks)
  }
  for (const { plan, token } of stocks) world.tokens[plan.symbol] = token
}

/** The holders of the stocks, and who those are. Does only what is missing. */
export async function ensureStocks(world: DemoWorld): Promise<void> {
  const stage = createStocksStage(world)
  const stocks = await findStocks(stage)
  if (await isComplete(stage, stocks)) return
  await bringToLife(stage, stocks)
  await finish(stage, stocks)
}

/** Everything that the issuer platform signs. */
async function bringToLife(stage: StocksStage, stocks: readonly DemoStock[]): Promise<void> {
  const issuer = accountOf('issuer')
  const borrower = await identityOf(stage, 'borrower')
  // Twice is no harm.
  if (!isKnown(borrower)) await stage.sendAll(issuer, appointments(stage))
  await ensureVerified(stage, borrower)
  const missing = await Promise.all([
    missingClaims(stage, borrowersClaims),
    missingRevocation(stage),
    ...stocks.map((stock) => missingWrites(stage, stock)),
  ])
  await stage.writeAll(issuer, missing.flat())
  await ensureProofs(stage, borrowersClaims)
  // After the issue: this one holds shares that cannot be moved.
  await ensureFrozenWallet(stage)
}

const lastSigners = ['subIssuer', 'controller'] as const

const hasSigned = async ({ client }: StocksStage, signer: (typeof lastSigners)[number]): Promise<boolean> =>
  (await client.getTransactionCount({ address: addressOf(signer) })) > 0

/** These two sign nothing before all the rest is done. Whatever the people of the demo change later is theirs. */
async function isComplete(stage: StocksStage, stocks: readonly DemoStock[]): Promise<boolean> {
  const signed = await Promise.all(lastSigners.map((signer) => hasSigned(stage, signer)))
  return signed.every(Boolean) && stocks.every(({ isRecorded }) => isRecorded)
}

async function finish(stage: StocksStage, stocks: readonly DemoStock[]): Promise<void> {
  const stock = stocks.find(({ plan }) => plan.symbol === lastWrites.symbol)
  if (!stock) throw new Error('the demo has no stock for its last writes')
  const writes = writesOfOthers(stock.token)
  await Promise.all(
    lastSigners.map(async (signer) => {
      if (!(await hasSigned(stage, signer))) await stage.writeAll(accountOf(signer), [writes[signer]])
    }),
  )
}
