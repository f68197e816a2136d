import type { Address, Hex } from 'viem'

/** One prerequisite that is missing, as the transaction that brings it. */
export interface SetupStep {
  readonly key: string
  readonly call: { readonly to: Address; readonly data: Hex }
  readonly functionName: string
  readonly description: string
  /** Who alone can sign it; null: whoever holds the role. */
  readonly requiredSigner: Address | null
  readonly requiredRole: string
}

/** What a caller has to sign before the request can be repeated. */
export const asSetup = (chainId: number, custodyContract: Address, steps: readonly SetupStep[]) => ({
  action: 'SIGN_TRANSACTIONS' as const,
  custodyContract,
  confirmWith: { field: 'custodySetupTxs' as const, keyedBy: 'key' as const },
  steps: steps.map(({ key, call, functionName, description, requiredSigner, requiredRole }) => ({
    key,
    to: call.to,
    data: call.data,
    value: '0' as const,
    chainId,
    functionName,
    description,
    requiredSigner,
    requiredRole,
  })),
})
