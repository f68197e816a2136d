import type { Address } from 'viem'
import { type ContractRead, contractRead, type ReadResult } from '../../platform/chain/contract-read.ts'
import { abis } from '../contracts.ts'
import type { Stock } from '../stocks.store.ts'

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

/** Does one of them hold one of the roles? */
export function signerReads(stock: Stock, { views }: SignerRule): ContractRead<boolean>[] {
  return candidatesOf(stock).flatMap((account) =>
    views.map((view) => contractRead(stock.tokenAddress, abis.stock, view, [account])),
  )
}

export interface Signers {
  /** A wallet of the instance that can sign; null: none can. */
  readonly signerAddress: Address | null
  /** Somebody who could, of the instance or not. */
  readonly simulateFrom: Address | null
}

export function signersOf(stock: Stock, { views }: SignerRule, results: readonly ReadResult<boolean>[]): Signers {
  const holders = candidatesOf(stock).filter(
    (_, index) =>
      views.length === 0 ||
      results.slice(index * views.length, (index + 1) * views.length).some((one) => one.ok && one.value),
  )
  const [first = null] = holders
  return { signerAddress: holders.find((one) => stock.wallets.includes(one)) ?? null, simulateFrom: first }
}
