import { type Address, zeroAddress } from 'viem'
import type { Refuse } from '../../platform/app-error.ts'
import { requireAddress } from '../../platform/chain/address.ts'
import { readNamed } from '../../platform/chain/named-reads.ts'
import type { TypedCall } from '../../platform/chain/typed-call.ts'
import type { PlannedCall, presentCall } from '../../platform/chain/unsigned-call.ts'
import { candidate, type Evidence } from '../../writes/index.ts'
import type { Market, SignerBlock } from '../core/index.rules.ts'
import { at, endpointAt, type MarketSubject, ownerBlock, roleReads, signerBlock } from '../core/index.ts'
import { deploymentRead, heldRead, oracleOwnerRead } from './access-role.reads.ts'
import { type AccessRole, contractOf, describeChange, placeOf, type RoleAction } from './access-role.rules.ts'
import { idOf, shownRole } from './access-role-place.ts'

/** By the contract that holds the role, and what is done with it. */
const roleCalls = {
  market: { grant: at('market', 'grantRole', 'RoleGranted'), revoke: at('market', 'revokeRole', 'RoleRevoked') },
  router: { grant: at('router', 'grantRole', 'RoleGranted'), revoke: at('router', 'revokeRole', 'RoleRevoked') },
} as const
const setPriceSigner = at('oracle', 'setAuthorizedSigner', 'SignerSet')

export interface RoleChange {
  readonly role: AccessRole
  readonly account: Address
  readonly action: RoleAction
}

interface RoleRequest {
  readonly role: AccessRole
  readonly address: string
  readonly action: RoleAction
}

export const changeIn = ({ role, address, action }: RoleRequest): RoleChange => ({
  role,
  account: requireAddress(address),
  action,
})

/** A call and its proof: the event repeats what the call was given, under the same names. */
function pairOf<Args extends object, Fields extends object>(
  call: TypedCall<Args, Fields>,
  target: Address,
  args: Args & Partial<Fields>,
): { readonly planned: PlannedCall; readonly evidence: Evidence<object> } {
  return {
    planned: { call: call.prepare(target, args), functionName: call.functionName },
    evidence: { target, kind: call.kind, candidates: [candidate(call, args)] },
  }
}

function pairFor(market: Market, { role, account, action }: RoleChange) {
  const { on } = placeOf(role)
  const target = contractOf(role, market)
  return on === 'oracle'
    ? pairOf(setPriceSigner, target, { signer: account, isAuthorized: action === 'grant' })
    : pairOf(roleCalls[on][action], target, { role: idOf(role), account })
}

export const evidenceOf = (market: Market, change: RoleChange) => pairFor(market, change).evidence

/** Whether the change is one, and who signs it. */
export async function readRole(
  { chain, record: { market, wallets } }: MarketSubject,
  { role, account, action }: RoleChange,
  refuse: Refuse<'MARKET_STATE_UNAVAILABLE' | 'MARKET_PENDING_CURATOR'>,
) {
  const { on } = placeOf(role)
  const { block, results } = await readNamed(chain, {
    deployment: deploymentRead(market),
    held: heldRead(market, role, account, idOf(role)),
    owner: oracleOwnerRead(market),
    admins: on === 'oracle' ? [] : roleReads(contractOf(role, market), 'DEFAULT_ADMIN_ROLE', wallets),
  })
  const { deployment, held, owner, admins } = results
  if (!deployment.ok || !held.ok || !owner.ok) throw refuse('MARKET_STATE_UNAVAILABLE')
  if (deployment.value.curator === zeroAddress) throw refuse('MARKET_PENDING_CURATOR')
  return {
    block,
    isUnchanged: held.value === (action === 'grant'),
    ownsOracle: owner.value.toLowerCase() === account,
    signing:
      on === 'oracle' ? ownerBlock('ORACLE_OWNER', wallets, owner) : signerBlock('DEFAULT_ADMIN_ROLE', wallets, admins),
  }
}

/** The answer where there is nothing to sign. */
export const unchangedRole = ({ record }: MarketSubject, change: RoleChange) => ({
  ...shownRole(record, change),
  action: change.action,
  requiresUserAction: false as const,
  unchanged: true as const,
  txHash: null,
  message: change.action === 'grant' ? 'The role is held already.' : 'The role is not held.',
})

interface Building extends MarketSubject {
  readonly mountedAt: string
  readonly attempt: (planned: PlannedCall, signer: Address | null) => ReturnType<typeof presentCall>
}

/** What is to be signed, as a step among those that configure a market. */
export async function presentChange(
  { record, marketId, mountedAt, attempt }: Building,
  change: RoleChange,
  { requiredRole, heldByThisInstance, signerAddress, note }: SignerBlock,
  path: 'access-role' | 'liquidator-role',
) {
  const { role, account, action } = change
  const { transaction, simulation } = await attempt(pairFor(record.market, change).planned, signerAddress)
  const description = describeChange(role, action, account)
  const signing = { requiredAuthority: requiredRole ?? '', heldByThisInstance, signerAddress, note }
  return {
    calls: [transaction],
    step: { ...transaction, description, ...signing },
    shown: {
      ...shownRole(record, change),
      action,
      requiresUserAction: true as const,
      simulation,
      message: description,
      confirmWith: { endpoint: endpointAt(mountedAt, `/markets/${marketId}/${path}`), field: 'txHash' as const },
    },
  }
}

/** The answer to a confirmation. */
export const changedRole = (
  { record }: MarketSubject,
  change: RoleChange,
  { transaction }: { readonly transaction: { readonly from: Address } },
) => ({
  ...shownRole(record, change),
  action: change.action,
  unchanged: false as const,
  signedBy: transaction.from,
})
