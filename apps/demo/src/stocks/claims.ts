import type { Address, Hex } from 'viem'
import { hashOf, IDENTITY, identityOf } from './identities.ts'
import type { ClaimPlan } from './identity-plan.ts'
import { accountOf, addressOf, type StocksStage, type Write } from './stocks-stage.ts'

interface Proof {
  readonly claimTypeLabel: string
  readonly fieldName: string | null
}

const expiryDays = 365

const proofsOf = async ({ call }: StocksStage, { person }: ClaimPlan): Promise<readonly Proof[]> =>
  (await call<{ proofs: Proof[] }>('GET', `${IDENTITY}/proofs/${addressOf(person)}`)).proofs

/** Slots that are filled by hand. */
export async function missingClaims(stage: StocksStage, plan: ClaimPlan): Promise<Write[]> {
  const filled = await proofsOf(stage, plan)
  const walletAddress = addressOf(plan.person)
  return plan.byHand
    .filter((slot) => !filled.some(({ claimTypeLabel }) => claimTypeLabel === slot))
    .map((claimType) => ({
      path: `${IDENTITY}/add-claim`,
      body: { walletAddress, claimType, dataHash: hashOf(claimType, 'of', plan.person), expiryDays },
    }))
}

/** The revocation of somebody's identity. */
export async function missingRevocation(stage: StocksStage): Promise<Write[]> {
  const { onChain } = await identityOf(stage, 'formerInvestor')
  const revocation = { path: `${IDENTITY}/revoke`, body: { walletAddress: addressOf('formerInvestor') } }
  return onChain.status === 'active' ? [revocation] : []
}

interface Attestation {
  readonly steps: readonly { readonly fieldName: string; readonly transaction: { to: Address; data: Hex } }[]
}

/** Slots that are filled by proof. One whose confirmation was lost is not in the ledger, and is attested again. */
export async function ensureProofs(stage: StocksStage, plan: ClaimPlan): Promise<void> {
  const { person, byProof } = plan
  const filled = await proofsOf(stage, plan)
  const missing = byProof.filter((field) => !filled.some(({ fieldName }) => fieldName === field))
  if (missing.length === 0) return
  const walletAddress = addressOf(person)
  const path = `${IDENTITY}/proofs`
  const entries = missing.map((fieldName) => ({
    ...{ fieldName, proofDigest: hashOf('proof of', fieldName, 'of', person), expiryDays },
  }))
  const { steps } = await stage.call<Attestation>('POST', path, { walletAddress, entries })
  const mined = await stage.sendAll(
    accountOf('issuer'),
    steps.map(({ transaction: { to, data } }) => ({ to, data })),
  )
  const txResults = steps.map(({ fieldName }, index) => ({ fieldName, txHash: mined[index]?.hash }))
  await stage.call('POST', path, { walletAddress, entries, txResults })
}
