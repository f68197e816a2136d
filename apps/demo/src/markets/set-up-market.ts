import type { Address } from 'viem'
import type { MarketPlan } from './market-plan.ts'
import { type BuiltCall, ofMarket, ofPositions, type Stage } from './market-stage.ts'

interface SetupCall extends BuiltCall {
  readonly requiredAuthority: string
}

/** What the lender signs; all else is up to the administrator of the token. */
const lenderSigns = new Set(['ORACLE_OWNER', 'DEFAULT_ADMIN_ROLE'])

/** Lets the contracts of the market freeze or hold the token. */
export async function setUpToken({ issuer, lender, signing }: Stage, marketId: string): Promise<void> {
  const { calldata } = await lender.call<{ calldata: Record<string, SetupCall> }>(
    'GET',
    ofMarket(marketId, '/setup-steps'),
  )
  const calls = Object.values(calldata)
  const isLenders = ({ requiredAuthority }: SetupCall) => lenderSigns.has(requiredAuthority)
  await Promise.all([
    signing.sendAll(lender.account, calls.filter(isLenders)),
    signing.sendAll(
      issuer.account,
      calls.filter((call) => !isLenders(call)),
    ),
  ])
}

export async function provideLiquidity({ lender, act }: Stage, marketId: string, amount: string): Promise<void> {
  const { totalDeposits } = await lender.call<{ totalDeposits: string }>('GET', ofMarket(marketId, '/metrics'))
  if (totalDeposits !== '0') return
  const body = { amount, provider: lender.account.address }
  await act(lender.call, ofPositions(marketId, '/add-liquidity'), { body, by: lender.account })
}

/** The venue of the market; it may still have to be wired. */
export async function ensureVenue({ lender, signing }: Stage, marketId: string): Promise<Address> {
  const path = ofMarket(marketId, '/auction-module')
  const { auctionModule } = await lender.call<{ auctionModule: Address | null }>('GET', path)
  if (auctionModule) return auctionModule
  const { transaction } = await lender.call<{ transaction: BuiltCall }>('POST', path, {})
  const [created] = await signing.sendAll(lender.account, [{ data: transaction.data, gas: 5_000_000n }])
  if (!created?.contractAddress) throw new Error('the venue of the demo was not created')
  return created.contractAddress
}

/** The factory creates a venue of its own, to compare this one with. */
const WIRING_GAS = 4_000_000n

interface WiringStep extends BuiltCall {
  readonly key: string
}

export async function wireVenue({ issuer, lender, signing }: Stage, marketId: string, venue: Address): Promise<void> {
  const path = ofMarket(marketId, '/auction-module')
  const { steps } = await lender.call<{ steps: WiringStep[] }>('POST', path, { moduleAddress: venue })
  const isTokens = ({ key }: WiringStep) => key.endsWith('AsHolder') || key.endsWith('OnToken')
  const [wired] = await Promise.all([
    signing.sendAll(
      lender.account,
      steps.filter((step) => !isTokens(step)).map((step) => ({ ...step, gas: WIRING_GAS })),
    ),
    signing.sendAll(issuer.account, steps.filter(isTokens)),
  ])
  for (const { hash } of wired) await lender.call('POST', path, { moduleAddress: venue, txHash: hash })
}

export async function configure({ lender, act }: Stage, marketId: string, plan: MarketPlan['config']): Promise<void> {
  if (Object.keys(plan).length === 0) return
  const path = ofMarket(marketId, '/config')
  const config = await lender.call<Record<string, unknown>>('GET', path)
  await act(lender.call, path, { body: { config: { ...config, ...plan } }, by: lender.account })
}
