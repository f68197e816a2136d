import { type Address, encodeFunctionData, type Hex, zeroAddress } from 'viem'
import type { Refuse } from '../../platform/app-error.ts'
import type { Chain } from '../../platform/chain/chain.ts'
import { ChainUnavailableError } from '../../platform/chain/rpc.ts'
import { abis } from '../contracts.ts'
import type { SignerBlock } from '../core/index.rules.ts'
import { type DeployedRecord, ownerBlock, roleReads, signerBlock } from '../core/index.ts'
import { feeModel, followUps, isImpactful, perimeter } from './fee-model.rules.ts'
import { addressIn, IMPLEMENTATION_SLOT, targets, type UpgradeRefusal, type UpgradeTarget } from './targets.rules.ts'
import { capabilityReads, ownerReads, versionRead } from './upgrade-state.reads.ts'
import type { UpgradeState } from './upgrade-state.service.ts'

/** A market that can be upgraded at all, and what the factory serves for the target. */
export function requireServed(state: UpgradeState, target: UpgradeTarget, refuse: Refuse<UpgradeRefusal>): Address {
  if (state.inFactory === null) throw refuse('FACTORY_UNREADABLE')
  if (!state.inFactory) throw refuse('MARKET_NOT_IN_FACTORY')
  if (state.curator === undefined) throw refuse('FACTORY_UNREADABLE')
  if (state.curator === null) throw refuse('MARKET_PENDING_CURATOR')
  const served = state.served(target)
  if (served === null) throw refuse('FACTORY_UNREADABLE')
  if (served === zeroAddress) throw refuse('NO_TARGET_IMPL')
  return served
}

async function readCode(chain: Chain, address: Address): Promise<Hex> {
  const [code] = await chain.rpc.batch([{ method: 'eth_getCode', params: [address, 'latest'] }])
  if (!code?.ok) throw new ChainUnavailableError('code could not be read')
  return code.value as Hex
}

interface Step {
  readonly target: UpgradeTarget
  readonly proxy: Address
  readonly served: Address
}

/** The proxy, its implementation, its owner or admin, and what the served implementation is able to do. */
export async function inspect(
  chain: Chain,
  { wallets }: DeployedRecord,
  { target, proxy, served }: Step,
  refuse: Refuse<UpgradeRefusal>,
) {
  const { stateUnavailable, capabilities, failed } = targets[target]
  const claims = capabilityReads(target, served)
  const admins = roleReads(proxy, 'DEFAULT_ADMIN_ROLE', wallets)
  const reads = [versionRead(proxy), versionRead(served), ...ownerReads(proxy)] as const
  const [{ results, slots }, code] = await Promise.all([
    chain.readWithSlots([...reads, ...claims, ...admins], [{ address: proxy, slot: IMPLEMENTATION_SLOT }]),
    readCode(chain, served),
  ])
  const [version, servedVersion, owner, pendingOwner, ...flags] = results
  const current = addressIn(slots[0] ?? null)
  if (current === null) throw refuse(stateUnavailable)
  if (current === served) throw refuse('ALREADY_UPGRADED')
  if (code === '0x') throw refuse('TARGET_IMPL_NO_CODE')
  for (const [index, { missing }] of capabilities.entries()) {
    const claim = flags[index]
    if (!claim?.ok || claim.value !== true) throw refuse(missing)
  }
  if (!version.ok) throw refuse(stateUnavailable)
  if (!servedVersion.ok || servedVersion.value <= version.value)
    throw refuse(failed, {
      detail: `The proxy runs version ${version.value}, the factory serves ${servedVersion.ok ? servedVersion.value : 'none'}: it never goes back.`,
    })
  return { current, owner, pendingOwner, adminFlags: flags.slice(claims.length) }
}

/** Who signs. What the market or the factory still owns, nobody can upgrade. */
export function requireOwner(
  target: UpgradeTarget,
  record: DeployedRecord,
  factory: Address,
  found: Awaited<ReturnType<typeof inspect>>,
  refuse: Refuse<UpgradeRefusal>,
): SignerBlock {
  const { requiredRole, stateUnavailable } = targets[target]
  if (requiredRole !== 'owner') return signerBlock(requiredRole, record.wallets, found.adminFlags)
  if (!found.owner.ok) throw refuse(stateUnavailable)
  const owner = found.owner.value.toLowerCase()
  if (owner !== record.market.address && owner !== factory) return ownerBlock(requiredRole, record.wallets, found.owner)
  const pending = found.pendingOwner.ok ? found.pendingOwner.value.toLowerCase() : zeroAddress
  throw refuse(target === 'rateModel' ? 'RATE_MODEL_OWNER_PENDING' : 'INSURANCE_FUND_OWNER_PENDING', {
    extra: { owner, ...(pending === zeroAddress ? {} : { pendingOwner: pending }) },
  })
}

/** What belongs to the market's own upgrade only. */
export function marketExtras(
  { market }: DeployedRecord,
  { facts, parts }: UpgradeState,
  acknowledged: boolean,
  refuse: Refuse<UpgradeRefusal>,
) {
  if (!facts || !parts) throw refuse('MARKET_STATE_UNAVAILABLE')
  const model = feeModel(market, facts)
  if (isImpactful(facts) && !acknowledged)
    throw refuse('FEE_MODEL_IMPACT_UNACKNOWLEDGED', { extra: { details: { feeModel: model } } })
  const gates = perimeter(facts)
  const after = followUps(market.address, facts)
  return {
    pokeSnapshot: {
      to: market.address,
      data: encodeFunctionData({ abi: abis.market, functionName: 'pokeSnapshot' }),
      description: 'Seeds the history series of the new implementation. Anybody may send it.',
    },
    feeModel: model,
    ...(gates ? { perimeter: gates } : {}),
    ...(after ? { followUps: after } : {}),
    ...(isImpactful(facts) ? { acknowledgedFeeModelImpact: true as const } : {}),
  }
}
