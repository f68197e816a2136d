import type { Address, Hex } from 'viem'
import { contractCall } from '../../platform/chain/contract-call.ts'
import { abis } from '../contracts.ts'

interface RoleChange {
  readonly role: Hex
  readonly account: Address
}

const roleCall = (kind: 'market' | 'router', functionName: string, eventName: string) =>
  contractCall<RoleChange, RoleChange>({
    kind,
    abi: abis[kind],
    functionName,
    eventName,
    args: ({ role, account }) => [role, account],
    isFor: (effect, { role, account }) => effect.role === role && effect.account === account,
  })

/** By the contract that holds the role, and what is done with it. */
export const roleCalls = {
  market: {
    grant: roleCall('market', 'grantRole', 'RoleGranted'),
    revoke: roleCall('market', 'revokeRole', 'RoleRevoked'),
  },
  router: {
    grant: roleCall('router', 'grantRole', 'RoleGranted'),
    revoke: roleCall('router', 'revokeRole', 'RoleRevoked'),
  },
} as const

interface SignerChange {
  readonly account: Address
  readonly isAuthorized: boolean
}

export const setPriceSignerCall = contractCall<SignerChange, SignerChange>({
  kind: 'oracle',
  abi: abis.oracle,
  functionName: 'setAuthorizedSigner',
  eventName: 'SignerSet',
  args: ({ account, isAuthorized }) => [account, isAuthorized],
  isFor: (effect, { account, isAuthorized }) => effect.signer === account && effect.isAuthorized === isAuthorized,
})
