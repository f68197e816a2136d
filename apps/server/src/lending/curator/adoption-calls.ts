import { at } from '../core/index.ts'

export const acceptCuratorRoleCall = at('factory', 'acceptCuratorRole', 'CuratorAccepted')

/** Has no confirmation of its own: the adoption that follows proves it. */
export const commitCuratorClaimCall = at('factory', 'commitCuratorClaim', 'CuratorClaimCommitted')
