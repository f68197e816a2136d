import type { Address } from 'viem'
import { type ContractRead, contractRead, type ReadResult } from '../../platform/chain/contract-read.ts'
import { abis } from '../contracts.ts'
import type { Stock } from '../records/index.rules.ts'

type RoleView = 'isIssuer' | 'isSubIssuer' | 'isController'

/** Who must sign; any one of the roles will do. */
export interface SignerRule {
  readonly requiredRole: string | null
  readonly views: readonly RoleView[]
}

export const signers = {
  issuer: { requiredRole: 'ISSUER', views: ['isIssuer'] },
  issuerOrSubIssuer: { requiredRole: 'ISSUER or SUB_ISSUER', views: ['isIssuer', 'isSubIssuer'] },
  controller: { requiredRole: 'CONTROLLER', views: ['isController'] },
  anybody: { requiredRole: null, views: [] },
} as const satisfies Record<string, SignerRule>

/** Wallets of the instance first; the others only so that a simulation has somebody to come from. */
function candidatesOf({ wallets, issuerAddress, controllers }: Stock): Address[] {
  return [...new Set([...wallets, issuerAddress, ...controllers])]
}

/** The first implementation that stops those whom it appointed, once sub-issuers are switched off. */
const STOPS_SUB_ISSUERS = 2n

/** May sub-issuers act at all, and does one of these accounts hold one of the roles? */
export function signerReads(stock: Stock, { views }: SignerRule): ContractRead<boolean | bigint>[] {
  return [
    contractRead(stock.tokenAddress, abis.stock, 'subIssuersAllowed', []),
    contractRead(stock.tokenAddress, abis.stock, 'implementationVersion', []),
    ...candidatesOf(stock).flatMap((account) =>
      views.map((view) => contractRead(stock.tokenAddress, abis.stock, view, [account])),
    ),
  ]
}

export interface Signers {
  /** A wallet of the instance that can sign; null: none can. */
  readonly signerAddress: Address | null
  /** Somebody who could, of the instance or not. */
  readonly simulateFrom: Address | null
}

/** In the order of the roles: an issuer needs neither cap nor allowance, so it comes before sub-issuers. */
export function signersOf(
  stock: Stock,
  { views }: SignerRule,
  [allowed, version, ...held]: readonly ReadResult<boolean | bigint>[],
): Signers {
  const candidates = candidatesOf(stock)
  const isOff = allowed?.ok === true && allowed.value === false
  const isStopped = isOff && version?.ok === true && BigInt(version.value) >= STOPS_SUB_ISSUERS
  const holdersOf = (view: RoleView, at: number) =>
    candidates.filter((_, index) => {
      const answer = held[index * views.length + at]
      return answer?.ok === true && answer.value === true && !(view === 'isSubIssuer' && isStopped)
    })
  const holders = views.length === 0 ? candidates : views.flatMap(holdersOf)
  const signerAddress = holders.find((one) => stock.wallets.includes(one)) ?? null
  return { signerAddress, simulateFrom: signerAddress ?? holders[0] ?? null }
}
