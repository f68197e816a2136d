import type { Address, Hex } from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import { createDemoClient, type DemoClient } from '../demo-client.ts'
import { createDemoSigning, type DemoCall } from '../demo-signing.ts'
import type { DemoWorld } from '../demo-world.ts'
import { accountIndex, developmentAccount } from '../development-accounts.ts'

const MARKETS = '/lending-external-securities-v2/api/markets'
const POSITIONS = '/lending-external-securities/api/positions'
const LIQUIDATIONS = '/lending-external-securities/api/liquidations'

export const ofMarket = (marketId: string, rest = ''): string => `${MARKETS}/${marketId}${rest}`
export const ofPositions = (marketId: string, rest: string): string => `${POSITIONS}/${marketId}${rest}`
export const ofLiquidations = (marketId: string, rest: string): string => `${LIQUIDATIONS}/${marketId}${rest}`
export const markets = MARKETS

export interface BuiltCall {
  readonly to?: Address
  readonly data: Hex
}

/** What builds have in common. */
interface Built {
  readonly transaction?: BuiltCall
  readonly steps?: readonly (BuiltCall | { readonly transaction: BuiltCall })[]
  readonly confirmStepIndex?: number
  readonly gasLimit?: string
  readonly simulation?: { readonly gasUsed: string | null }
  readonly confirmWith?: { readonly endpoint?: string; readonly body?: Record<string, unknown> }
}

interface Signing {
  readonly by: PrivateKeyAccount
  /** What the same wallet signs right before and right behind it. */
  readonly before?: readonly DemoCall[]
  readonly behind?: readonly DemoCall[]
}

interface Act extends Signing {
  readonly body?: Record<string, unknown>
}

/** Beyond what was foretold: another block may ask for more. */
const SPARE_GAS = 300_000n

function callsOf({ steps, transaction, gasLimit, simulation }: Built): DemoCall[] {
  const foretold = BigInt(simulation?.gasUsed ?? 2_000_000) * 2n + SPARE_GAS
  const said = BigInt(gasLimit ?? 0)
  const gas = said > foretold ? said : foretold
  const calls = steps?.map((step) => ('transaction' in step ? step.transaction : step)) ?? []
  return (transaction ? [transaction] : calls).map(({ to, data }) => ({ ...(to ? { to } : {}), data, gas }))
}

/** Those who act in the demo's markets, and how. */
export function createStage(world: DemoWorld) {
  const signing = createDemoSigning(world.rpcUrl)
  const party = (role: 'issuer' | 'lender') => ({
    call: createDemoClient(world.baseUrl, world.instances[role]?.apiKey ?? ''),
    account: developmentAccount(accountIndex[role]).account,
  })

  /** Built by an instance, signed by one wallet in this order, and confirmed by the same instance: what that answers. */
  async function actTogether<T>(
    call: DemoClient,
    {
      path,
      bodies,
      by,
      before = [],
      behind = [],
    }: Signing & { readonly path: string; readonly bodies: readonly Record<string, unknown>[] },
  ): Promise<T[]> {
    const built = await Promise.all(bodies.map((body) => call<Built>('POST', path, body)))
    const mined = await signing.sendAll(by, [...before, ...built.flatMap(callsOf), ...behind])
    const answers: T[] = []
    let sent = before.length
    for (const one of built) {
      const txHash = mined[sent + (one.confirmStepIndex ?? 0)]?.hash
      sent += callsOf(one).length
      answers.push(await call<T>('POST', one.confirmWith?.endpoint ?? path, { ...one.confirmWith?.body, txHash }))
    }
    return answers
  }

  return {
    world,
    signing,
    issuer: party('issuer'),
    lender: party('lender'),
    borrower: developmentAccount(accountIndex.borrower).account,

    act: async <T>(call: DemoClient, path: string, { body = {}, ...how }: Act): Promise<T> => {
      const [answer] = await actTogether<T>(call, { path, bodies: [body], ...how })
      return answer as T
    },
    actTogether,
  }
}

export type Stage = ReturnType<typeof createStage>
