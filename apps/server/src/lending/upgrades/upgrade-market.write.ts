import { lendingOperations } from '@tallystick/wire'
import type { Address } from 'viem'
import type { UnsignedCall } from '../../platform/chain/simulate.ts'
import { besideTransaction, transactionOf } from '../../platform/chain/unsigned-call.ts'
import { candidate } from '../../writes/index.ts'
import { at, endpointAt, findFactory, provenMarketWrite } from '../core/index.ts'
import { inspect, marketExtras, requireOwner, requireServed } from './plan-upgrade.ts'
import { targets, type UpgradeTarget } from './targets.rules.ts'
import { proxyOf, readServedEver, readUpgradeState, type UpgradeState } from './upgrade-state.service.ts'

const upgrades = {
  market: at('market', 'upgradeToAndCall', 'Upgraded'),
  rateModel: at('rateModel', 'upgradeToAndCall', 'Upgraded'),
  router: at('router', 'upgradeToAndCall', 'Upgraded'),
  insuranceFund: at('fund', 'upgradeToAndCall', 'Upgraded'),
} as const

/** Why a confirmation finds no proxy to look at. */
function whyNoProxy(target: UpgradeTarget, parts: UpgradeState['parts']) {
  if (target === 'router') return 'ROUTER_UNRESOLVED'
  if (!parts) return 'CHAIN_UNAVAILABLE'
  return target === 'insuranceFund' ? 'NO_INSURANCE_FUND' : 'MODEL_UNRESOLVED'
}

type Unsigned = Pick<UnsignedCall, 'to' | 'data'>

/** In the order of broadcast, behind the upgrade: the snapshot, then the follow-ups. */
const callsAfter = (extras: { pokeSnapshot?: Unsigned; followUps?: { steps: readonly Unsigned[] } }) => [
  ...(extras.pokeSnapshot ? [extras.pokeSnapshot] : []),
  ...(extras.followUps?.steps ?? []),
]

/** Moves one proxy of a market forward, after everything that would make it fail or surprise. */
export const upgradeMarket = provenMarketWrite(lendingOperations.upgradeMarket, {
  async build({ market, marketId, record, chain, tenant, mountedAt, body, refuse, attempt }) {
    const { target = 'market', acknowledgeFeeModelImpact } = body
    if (target !== 'market' && acknowledgeFeeModelImpact !== undefined)
      throw refuse('VALIDATION_ERROR', { detail: 'acknowledgeFeeModelImpact belongs to target market.' })
    const factory = await findFactory(tenant, market.chainId)
    const state = await readUpgradeState(chain, factory, market)
    const served = requireServed(state, target, refuse)
    const proxy = proxyOf(target, market, state.parts)
    if (!proxy) throw refuse(targets[target].unresolved)
    const found = await inspect(chain, record, { target, proxy, served }, refuse)
    const signing = requireOwner(target, record, factory, found, refuse)
    const extras = target === 'market' ? marketExtras(record, state, acknowledgeFeeModelImpact === true, refuse) : {}

    const upgrade = upgrades[target]
    const call = upgrade.prepare(proxy, { newImplementation: served, data: '0x' })
    const from = signing.requiredSigner ?? signing.signerAddress ?? record.wallets[0] ?? null
    const built = await attempt({ call, functionName: upgrade.functionName }, from)
    const { functionName: _name, ...unsigned } = besideTransaction(built)
    const { requiredRole, ...signer } = signing
    const owner = found.owner.ok ? (found.owner.value.toLowerCase() as Address) : undefined
    const whole = {
      ...unsigned,
      target,
      ...(target === 'router'
        ? { routerAddress: proxy }
        : { functionName: 'upgradeToAndCall' as const, requiredRole: requiredRole ?? '' }),
      ...(target === 'rateModel' && owner ? { modelAddress: proxy, owner } : {}),
      ...(target === 'insuranceFund' && owner ? { fundAddress: proxy, owner } : {}),
      ...signer,
      description: targets[target].description,
      implementation: served,
      previousImplementation: found.current,
      ...extras,
      confirmWith: {
        endpoint: endpointAt(mountedAt, `/markets/${marketId}/upgrade`),
        field: 'txHash' as const,
        body: { txHash: null, target },
      },
    }
    const after = callsAfter(extras).map((one) => transactionOf(chain, { ...one, value: 0n }))
    return { block: state.block, whole, calls: [built.transaction, ...after] }
  },

  async evidence({ market, chain, tenant, body, refuse }) {
    const { target = 'market' } = body
    const state = await readUpgradeState(chain, market.factory, market)
    const proxy = proxyOf(target, market, state.parts)
    if (!proxy) throw refuse(whyNoProxy(target, state.parts))
    const now = state.served(target)
    const served = [...(now ? [now] : []), ...(await readServedEver(tenant, market, target))]
    const { kind, ...upgrade } = upgrades[target]
    // A proxy of ours takes no other implementation than one that the factory serves or served.
    const isFor = ({ implementation }: { readonly implementation: Address }) => served.includes(implementation)
    return { target: proxy, kind, candidates: [candidate({ ...upgrade, isFor }, {})] }
  },

  proven: ({ effect, target: proxy, transaction }, { body: { target = 'market' } }) => ({
    confirmed: true as const,
    target,
    proxy,
    implementation: effect.implementation,
    signer: transaction.from.toLowerCase(),
  }),
})
