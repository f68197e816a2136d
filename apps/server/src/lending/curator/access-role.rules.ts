import type { Address } from 'viem'
import type { Market } from '../core/index.rules.ts'

/** Where each role lives, and what it is called there. */
const accessRoles = {
  MARKET_ADMIN: { on: 'market', roleName: 'DEFAULT_ADMIN_ROLE' },
  MARKET_ISSUER: { on: 'market', roleName: 'ISSUER_ROLE' },
  MARKET_LIQUIDATOR: { on: 'market', roleName: 'LIQUIDATOR_ROLE' },
  ROUTER_ADMIN: { on: 'router', roleName: 'DEFAULT_ADMIN_ROLE' },
  ROUTER_OPERATOR: { on: 'router', roleName: 'OPERATOR_ROLE' },
  ORACLE_SIGNER: { on: 'oracle', roleName: 'Price signing' },
} as const

export type AccessRole = keyof typeof accessRoles

export const isAccessRole = (text: string | undefined): text is AccessRole =>
  text !== undefined && Object.hasOwn(accessRoles, text)

export const placeOf = (role: AccessRole) => accessRoles[role]

/** The contract on which a role is held. */
export function contractOf(role: AccessRole, market: Market): Address {
  const { on } = accessRoles[role]
  return on === 'market' ? market.address : market[on]
}

export type RoleAction = 'grant' | 'revoke'

/** What a change of a role means, in a sentence for whoever signs it. */
export function describeChange(role: AccessRole, action: RoleAction, account: Address): string {
  const { on, roleName } = accessRoles[role]
  const power = roleName === 'Price signing' ? 'the right to sign prices' : roleName
  return action === 'grant'
    ? `Gives ${power} on the ${on} to ${account}.`
    : `Takes ${power} on the ${on} from ${account}.`
}
