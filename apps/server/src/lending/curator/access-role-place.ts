import { type Address, type Hex, zeroHash } from 'viem'
import { type DeployedRecord, roles } from '../core/index.ts'
import { type AccessRole, contractOf, placeOf } from './access-role.rules.ts'

/** How the contracts call a role; who may sign prices is no role there. */
export function idOf(role: AccessRole): Hex {
  const { roleName } = placeOf(role)
  return roleName === 'Price signing' ? zeroHash : roles[roleName]
}

/** Which role of whom, as every answer shows it. */
export const shownRole = (
  record: DeployedRecord,
  { role, account }: { readonly role: AccessRole; readonly account: Address },
) => ({
  role,
  roleName: placeOf(role).roleName,
  contract: contractOf(role, record.market),
  address: account,
})
