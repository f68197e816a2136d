import type { Address, Hex } from 'viem'
import { hashOf, IDENTITY, identityOf } from './identities.ts'
import { claimPlan } from './identity-plan.ts'
import { accountOf, addressOf, type StocksStage, type Write } from './stocks-stage.ts'

interface Proof {
  readonly claimTypeLabel: string
  readonly fieldName: string | null
}

const claimant = () => addressOf(claimPlan.person)
const expiryDays = 365

const proofsOf = async ({ call }: StocksStage): Promise<readonly Proof[]> =>
  (await call<{ proofs: Proof[] }>('GET', `${IDENTITY}/proofs/${claimant()}`)).proofs

/** Slots that are filled by hand, and the revocation of somebody's identity. */
export async function missingClaims(stage: StocksStage): Promise<Write[]> {
  const [filled, former] = await Promise.all([proofsOf(stage), identityOf(stage, 'formerInvestor')])
  const walletAddress = claimant()
  const claims = claimPlan.byHand
    .filter((slot) => !filled.some(({ claimTypeLabel }) => claimTypeLabel === slot))
    .map((claimType) => ({
      path: `${IDENTITY}/add-claim`,
      body: { walletAddress, claimType, dataHash: hashOf(claimType, 'of', claimPlan.person), expiryDays },
    }))
  const revocation = { path: `${IDENTITY}/revoke`, body: { walletAddress: addressOf('formerInvestor') } }
  return former.onChain.status === 'active' ? [...claims, revocation] : claims
}

interface Attestation {
  readonly steps: readonly { readonly fieldName: string; readonly transaction: { to: Address; data: Hex } }[]
}

/** Slots that are filled by proof. One whose confirmation was lost is not in the ledger, and is attested again. */
export async function ensureProofs(stage: StocksStage): Promise<void> {
  const filled = await proofsOf(stage)
  const missing = claimPlan.byProof.filter((field) => !filled.some(({ fieldName }) => fieldName === field))
  if (missing.length === 0) return
  const walletAddress = claimant()
  const path = `${IDENTITY}/proofs`
  const entries = missing.map((fieldName) => ({
    ...{ fieldName, proofDigest: hashOf('proof of', fieldName, 'of', claimPlan.person), expiryDays },
  }))
  const { steps } = await stage.call<Attestation>('POST', path, { walletAddress, entries })
  const mined = await stage.sendAll(
    accountOf('issuer'),
    steps.map(({ transaction: { to, data } }) => ({ to, data })),
  )
  const txResults = steps.map(({ fieldName }, index) => ({ fieldName, txHash: mined[index]?.hash }))
  await stage.call('POST', path, { walletAddress, entries, txResults })
}
