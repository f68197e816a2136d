import type { BodyOf, lendingOperations } from '@tallystick/wire'
import { type Address, encodeFunctionData, type Hex, zeroAddress } from 'viem'
import { AppError } from '../../platform/app-error.ts'
import type { Chain } from '../../platform/chain/chain.ts'
import { ChainUnavailableError } from '../../platform/chain/rpc.ts'
import { asShapeB } from '../built.ts'
import { abis } from '../contracts.ts'
import {
  type DeployedRecord,
  endpointAt,
  findDeployedMarket,
  findFactory,
  type MarketCall,
} from '../market/markets.service.ts'
import type { LendingParts } from '../parts.ts'
import { explainLending } from '../reverts/index.ts'
import { ownerBlock, roleReads, type SignerBlock, signerBlock } from '../signer.reads.ts'
import { feeModel, followUps, isImpactful, perimeter } from './fee-model.rules.ts'
import { addressIn, IMPLEMENTATION_SLOT, targets, type UpgradeTarget } from './targets.rules.ts'
import { upgradeCalls } from './upgrade.call.ts'
import { capabilityReads, ownerReads, versionRead } from './upgrade-state.reads.ts'
import { readUpgradeState, resolveProxy, type UpgradeState } from './upgrade-state.service.ts'

type UpgradeBody = BodyOf<typeof lendingOperations.upgradeMarket>

/** A market that can be upgraded at all, and what the factory serves for the target. */
function requireServed(state: UpgradeState, target: UpgradeTarget): Address {
  if (state.inFactory === null) throw new AppError('FACTORY_UNREADABLE')
  if (!state.inFactory) throw new AppError('MARKET_NOT_IN_FACTORY')
  if (state.curator === undefined) throw new AppError('FACTORY_UNREADABLE')
  if (state.curator === null) throw new AppError('MARKET_PENDING_CURATOR')
  const served = state.served(target)
  if (served === null) throw new AppError('FACTORY_UNREADABLE')
  if (served === zeroAddress) throw new AppError('NO_TARGET_IMPL')
  return served
}

async function readCode(chain: Chain, address: Address): Promise<Hex> {
  const [code] = await chain.rpc.batch([{ method: 'eth_getCode', params: [address, 'latest'] }])
  if (!code?.ok) throw new ChainUnavailableError('code could not be read')
  return code.value as Hex
}

/** The unsigned call that moves one proxy of a market forward, after everything that would make it fail or surprise. */
export function createBuildUpgrade({ chains, intents }: LendingParts) {
  /** The proxy, its implementation, its owner or admin, and what the served implementation is able to do. */
  async function inspect(chain: Chain, record: DeployedRecord, target: UpgradeTarget, proxy: Address, served: Address) {
    const { stateUnavailable, capabilities, failed } = targets[target]
    const claims = capabilityReads(target, served)
    const admins = roleReads(proxy, 'DEFAULT_ADMIN_ROLE', record.wallets)
    const reads = [versionRead(proxy), versionRead(served), ...ownerReads(proxy)] as const
    const [{ results, slots }, code] = await Promise.all([
      chain.readWithSlots([...reads, ...claims, ...admins], [{ address: proxy, slot: IMPLEMENTATION_SLOT }]),
      readCode(chain, served),
    ])
    const [version, servedVersion, owner, pendingOwner, ...flags] = results
    const current = addressIn(slots[0] ?? null)
    if (current === null) throw new AppError(stateUnavailable)
    if (current === served) throw new AppError('ALREADY_UPGRADED')
    if (code === '0x') throw new AppError('TARGET_IMPL_NO_CODE')
    for (const [index, { missing }] of capabilities.entries()) {
      const claim = flags[index]
      if (!claim?.ok || claim.value !== true) throw new AppError(missing)
    }
    if (!version.ok) throw new AppError(stateUnavailable)
    if (!servedVersion.ok || servedVersion.value <= version.value)
      throw new AppError(failed, {
        detail: `The proxy runs version ${version.value}, the factory serves ${servedVersion.ok ? servedVersion.value : 'none'}: it never goes back.`,
      })
    return { current, owner, pendingOwner, adminFlags: flags.slice(claims.length) }
  }

  function requireOwner(
    target: UpgradeTarget,
    record: DeployedRecord,
    factory: Address,
    found: Awaited<ReturnType<typeof inspect>>,
  ): SignerBlock {
    const { requiredRole, stateUnavailable } = targets[target]
    if (requiredRole !== 'owner') return signerBlock(requiredRole, record.wallets, found.adminFlags)
    if (!found.owner.ok) throw new AppError(stateUnavailable)
    const owner = found.owner.value.toLowerCase()
    if (owner !== record.market.address && owner !== factory)
      return ownerBlock(requiredRole, record.wallets, found.owner)
    const pending = found.pendingOwner.ok ? found.pendingOwner.value.toLowerCase() : zeroAddress
    throw new AppError(target === 'rateModel' ? 'RATE_MODEL_OWNER_PENDING' : 'INSURANCE_FUND_OWNER_PENDING', {
      extra: { owner, ...(pending === zeroAddress ? {} : { pendingOwner: pending }) },
    })
  }

  /** What belongs to the market's own upgrade only. */
  function marketExtras(record: DeployedRecord, state: UpgradeState, acknowledged: boolean) {
    const { facts } = state
    if (!facts || !state.parts) throw new AppError('MARKET_STATE_UNAVAILABLE')
    const model = feeModel(record.market, facts)
    if (isImpactful(facts) && !acknowledged)
      throw new AppError('FEE_MODEL_IMPACT_UNACKNOWLEDGED', { extra: { details: { feeModel: model } } })
    const { address } = record.market
    const gates = perimeter(facts)
    const after = followUps(address, facts)
    return {
      pokeSnapshot: {
        to: address,
        data: encodeFunctionData({ abi: abis.market, functionName: 'pokeSnapshot' }),
        description: 'Seeds the history series of the new implementation. Anybody may send it.',
      },
      feeModel: model,
      ...(gates ? { perimeter: gates } : {}),
      ...(after ? { followUps: after } : {}),
      ...(isImpactful(facts) ? { acknowledgedFeeModelImpact: true as const } : {}),
    }
  }

  return async function build(call: MarketCall, marketId: string, body: UpgradeBody) {
    const { target = 'market', acknowledgeFeeModelImpact } = body
    if (target !== 'market' && acknowledgeFeeModelImpact !== undefined)
      throw new AppError('VALIDATION_ERROR', { detail: 'acknowledgeFeeModelImpact belongs to target market.' })
    const record = await findDeployedMarket(call, marketId)
    const { market } = record
    const factory = await findFactory(call.tenant, market.chainId)
    const chain = chains.get(market.chainId)
    const state = await readUpgradeState(chain, factory, market)
    const served = requireServed(state, target)
    const proxy = resolveProxy(target, market, state.parts, 'build')
    const found = await inspect(chain, record, target, proxy, served)
    const signer = requireOwner(target, record, factory, found)
    const extras = target === 'market' ? marketExtras(record, state, acknowledgeFeeModelImpact === true) : {}

    const intent = { chain, pair: upgradeCalls[target], target: proxy, kind: targets[target].kind }
    const from = signer.requiredSigner ?? signer.signerAddress ?? record.wallets[0] ?? null
    const built = await intents.build(intent, { implementation: served }, from, explainLending)
    const { functionName, ...unsigned } = asShapeB(built)
    const { requiredRole, ...rest } = signer
    const owner = found.owner.ok ? (found.owner.value.toLowerCase() as Address) : undefined
    const data = {
      ...unsigned,
      target,
      ...(target === 'router'
        ? { routerAddress: proxy }
        : { functionName: functionName as 'upgradeToAndCall', requiredRole: requiredRole ?? '' }),
      ...(target === 'rateModel' && owner ? { modelAddress: proxy, owner } : {}),
      ...(target === 'insuranceFund' && owner ? { fundAddress: proxy, owner } : {}),
      ...rest,
      description: targets[target].description,
      implementation: served,
      previousImplementation: found.current,
      ...extras,
      confirmWith: {
        endpoint: endpointAt(call.mountedAt, `/markets/${marketId}/upgrade`),
        field: 'txHash' as const,
        body: { txHash: null, target },
      },
    }
    const calls = [built.transaction, ...callsAfter(extras, market.chainId)]
    return { data, block: state.block, calls }
  }
}

type Unsigned = { readonly to: string; readonly data: string }

/** In the order of broadcast: the upgrade, the snapshot, then the follow-ups. */
function callsAfter(extras: { pokeSnapshot?: Unsigned; followUps?: { steps: readonly Unsigned[] } }, chainId: number) {
  const after = [...(extras.pokeSnapshot ? [extras.pokeSnapshot] : []), ...(extras.followUps?.steps ?? [])]
  return after.map(({ to, data }) => ({ to, data, value: '0' as const, chainId }))
}
