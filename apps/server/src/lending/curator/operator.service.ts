import { listWallets } from '../../access/index.ts'
import { AppError } from '../../platform/app-error.ts'
import { readNamed } from '../../platform/chain/named-reads.ts'
import type { Instance } from '../../platform/http/caller.ts'
import { findMarket, type MarketCall } from '../core/index.ts'
import type { LendingParts } from '../parts.ts'
import { isoOrNull } from './asset-data-review.rules.ts'
import { orNull } from './factory-entry.rules.ts'
import { operatorReads } from './operator.reads.ts'
import { marketFees, operatorAction } from './operator.rules.ts'
import { findAdoption, listOperatorFacts } from './operator.store.ts'

const MAX_ACTIONS = 50

/** The lender of record of a market, its wallet, and what is owed to whom. */
export function createGetOperator({ chains }: LendingParts) {
  return async function get(call: MarketCall, instance: Instance, marketId: string) {
    const { tenant } = call
    const { market } = await findMarket(call, marketId)
    if (!market) return { data: { status: 'none' as const, operator: null, actions: [], marketFees: null } }
    const { block, results } = await readNamed(chains.get(market.chainId), operatorReads(market))
    const { deployment, parts } = results
    if (!deployment.ok) throw new AppError('MARKET_STATE_UNAVAILABLE')
    const fees = marketFees(market, results)
    const curator = orNull(deployment.value.curator)
    const acceptedAt = isoOrNull(deployment.value.adoptedAt)
    if (curator === null || acceptedAt === null)
      return { data: { status: 'awaiting' as const, operator: null, actions: [], marketFees: fees }, block }
    const wallet = (parts.ok && orNull(parts.value.operator)) || curator
    const facts = await tenant.read((sql) => listOperatorFacts(sql, market, MAX_ACTIONS))
    const [adoption] = await tenant.read((sql) => findAdoption(sql, market))
    const wallets = await tenant.read((sql) => listWallets(sql, tenant.instanceId))
    const own = wallets.find(({ address }) => address === wallet)
    const operator = {
      wallet,
      lenderOfRecord: curator,
      isBank: own ? instance.lenderApproved : null,
      verified: own !== undefined,
      instanceName: own ? instance.name : null,
      walletLabel: own?.label ?? null,
      acceptedAt,
      acceptTxHash: adoption?.txHash ?? null,
    }
    const actions = facts.map((fact) => operatorAction(fact, market.borrowDecimals))
    return { data: { status: 'active' as const, operator, actions, marketFees: fees }, block }
  }
}

export type GetOperator = ReturnType<typeof createGetOperator>
