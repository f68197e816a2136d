import { type Address, encodeFunctionData } from 'viem'
import type { Refuse } from '../../platform/app-error.ts'
import type { ReadResult } from '../../platform/chain/contract-read.ts'
import { abis } from '../contracts.ts'
import { type DeployedRecord, optionalAddress, roleReads, roles } from '../core/index.ts'

/** Whose signature a write of a realization needs, and how its lack is told. */
const parties = {
  operator: { on: 'router', role: 'OPERATOR_ROLE', missing: 'ROUTER_OPERATOR_ROLE_MISSING' },
  routerAdmin: { on: 'router', role: 'DEFAULT_ADMIN_ROLE', missing: 'ROUTER_ADMIN_ROLE_MISSING' },
  marketAdmin: { on: 'market', role: 'DEFAULT_ADMIN_ROLE', missing: 'MARKET_ADMIN_ROLE_MISSING' },
} as const

export type RoleParty = keyof typeof parties

/** A wallet that the caller names instead of its registered ones. */
export const namedSigner = (text: string | undefined): Address | undefined =>
  optionalAddress('signerAddress', text) ?? undefined

/** Who could sign: the wallet that was named, or the verified ones of the instance, the primary one first. */
export const candidatesOf = ({ wallets }: DeployedRecord, named?: Address): readonly Address[] =>
  named ? [named] : wallets

export function partyReads({ market }: DeployedRecord, party: RoleParty, candidates: readonly Address[]) {
  const { on, role } = parties[party]
  return roleReads(on === 'router' ? market.router : market.address, role, candidates)
}

function grant({ market }: DeployedRecord, wallet: Address) {
  const data = encodeFunctionData({
    abi: abis.router,
    functionName: 'grantRole',
    args: [roles.OPERATOR_ROLE, wallet],
  })
  const description = `Makes ${wallet} an operator of the liquidation router. The router admin signs.`
  return { calldata: { to: market.router, data, description } }
}

/** The one that holds the role. */
export function requireParty<P extends RoleParty>(
  record: DeployedRecord,
  party: P,
  candidates: readonly Address[],
  results: readonly ReadResult<boolean>[],
  refuse: Refuse<'WALLET_NOT_CONFIGURED' | 'ROUTER_UNREADABLE' | (typeof parties)[P]['missing']>,
): { readonly requiredRole: string; readonly signer: Address } {
  const { role, missing } = parties[party]
  const [first] = candidates
  if (!first) throw refuse('WALLET_NOT_CONFIGURED')
  if (results.some(({ ok }) => !ok)) throw refuse('ROUTER_UNREADABLE')
  const signer = candidates.find((_, index) => {
    const result = results[index]
    return result?.ok === true && result.value
  })
  if (!signer) throw refuse(missing, party === 'operator' ? { extra: grant(record, first) } : {})
  return { requiredRole: role, signer }
}
