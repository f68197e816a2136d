import type { Address } from 'viem'
import type { Authority, SetupTask, SetupView } from './setup-tasks.rules.ts'
import { admissionOf, registrationRefusal } from './token-admission.rules.ts'
import type { HolderStatus } from './token-side.reads.ts'

/** What a contract with an owner says about who signs. */
export function ownedBy(
  owner: Address | null,
  wallets: readonly Address[],
): Pick<Authority, 'heldByThisInstance' | 'signer'> {
  return { heldByThisInstance: owner === null ? null : wallets.includes(owner), signer: owner }
}

const holderNames = { Adapter: 'adapter', Router: 'liquidation router', Venue: 'auction venue' } as const

/**
 * What the token wants before a contract may hold it. A token without a register has nothing left to do there; one with a list
 * beside its register admits contracts by the list, and the step of the register is done with that.
 */
export function admissionTasks(
  { market, token, wallets }: Pick<SetupView, 'market' | 'token' | 'wallets'>,
  who: keyof typeof holderNames,
  holder: Address,
  status: HolderStatus,
): SetupTask[] {
  const admission = admissionOf(token, status)
  const base = { subject: holder, delegated: false, waitsForCurator: false }
  const { registry, registryAgent: agent } = token
  const isAgent = agent === null || !registry ? null : agent !== undefined
  const isFreezing = market.mode === 'FREEZE'
  const verifying =
    who === 'Router' && isFreezing ? ('verifyRouterOnRegistry' as const) : (`verify${who}AsHolder` as const)
  const verify: SetupTask = {
    ...base,
    action: `verify${who}AsHolder`,
    step: verifying,
    title: `Register the ${holderNames[who]} as a verified holder`,
    requiredRole: 'IDENTITY_REGISTRY_AGENT',
    heldByThisInstance: isAgent,
    signer: agent ?? null,
    target: registry,
    done: registry ? admission.admitted === true : admission.requirement !== 'unknown',
    refusal: registrationRefusal(token, status),
    isRegistered: status.registered === true,
  }
  const authorize: SetupTask = {
    ...base,
    action: `authorize${who}OnToken`,
    step: `authorize${who}OnToken`,
    title: `Put the ${holderNames[who]} on the token's list of contracts`,
    requiredRole: 'TOKEN_COMPLIANCE_ADMIN',
    ...ownedBy(token.owner, wallets),
    target: market.collateralToken,
    done: admission.admitted === true,
    refusal: null,
    isRegistered: false,
  }
  if (who === 'Venue') return token.hasAllowList ? [authorize] : registry ? [verify] : []
  if (!token.hasAllowList) return [verify]
  return registry ? [{ ...authorize, step: verifying }] : [verify, authorize]
}
