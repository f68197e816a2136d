import { lendingOperations } from '@tallystick/wire'
import { type Hex, zeroHash } from 'viem'
import type { Chain } from '../../platform/chain/chain.ts'
import { contractRead } from '../../platform/chain/contract-read.ts'
import { plannedCall } from '../../platform/chain/unsigned-call.ts'
import { abis } from '../contracts.ts'
import { endpointAt } from '../core/index.ts'
import { generationOf } from '../registers/index.rules.ts'
import { explainLending } from '../reverts/index.ts'
import { acceptCuratorRoleCall, commitCuratorClaimCall } from './adoption-calls.ts'
import { hashOrNull } from './asset-data-review.rules.ts'
import { claimRefusal } from './claim-refusal.ts'
import { shownTerms } from './curator-terms.rules.ts'
import { orNull } from './factory-entry.rules.ts'
import { installedRegister, type PreparedAdoption, prepareAdoption } from './prepare-adoption.service.ts'
import { queuedBuild } from './queued-write.ts'

const HANDOVER =
  'Oracle, rate model and insurance fund pass to their owners in the same transaction; nothing is left to accept.'

const COMMITS =
  'Commits to exactly these terms. Ten minutes after it is mined, and within three days, call again with the same terms and this claimSalt. Any change, also a new attestation, needs a new commitment.'

/** The adoption itself. */
function adoption(ready: PreparedAdoption, salt: Hex) {
  const { address, factory, block, signer, terms, borrowerRegistry, borrowAsset, assetData } = ready
  const register = borrowerRegistry ?? orNull(terms.borrowerRegistry)
  return {
    block,
    signer,
    args: plannedCall(acceptCuratorRoleCall, factory, { market: address, terms, salt }),
    answer: {
      marketAddress: address,
      signer,
      identityRegistry: register,
      borrowerRegistry: register,
      providerRegistry: orNull(terms.providerRegistry),
      borrowAsset,
      generation: generationOf(ready.version),
      installedRegister: installedRegister(ready),
      terms: shownTerms(terms),
      claimSalt: salt,
      assetData: {
        acknowledged: terms.assetDataHash !== zeroHash,
        contentHash: hashOrNull(assetData.attested),
        version: assetData.version,
        attestor: orNull(assetData.attestor),
        note: 'Reverts as a whole if another bundle is attested before it is mined.',
      },
      handoverNote: HANDOVER,
    },
  }
}

async function readCommitment(chain: Chain, { address, factory, signer, terms }: PreparedAdoption, salt: Hex) {
  const { results } = await chain.read([
    contractRead(factory, abis.factory, 'claimCommitment', [address, signer, terms, salt]),
  ])
  return results[0]
}

/** From a market in the queue to the transaction that makes the caller its lender of record. */
export const acceptCuratorRole = queuedBuild(lendingOperations.acceptCuratorRole, {
  confirmedBy: lendingOperations.confirmAcceptance,

  async build(request) {
    const { chain, body, mountedAt, refuse, attempt } = request
    const ready = await prepareAdoption(request, body)
    const { address, factory, block, signer, terms } = ready

    /** Has no confirmation of its own: the adoption that follows it does. */
    async function claim(salt: Hex) {
      const commitment = await readCommitment(chain, ready, salt)
      if (!commitment.ok) throw refuse('MARKET_VERIFICATION_UNAVAILABLE')
      const args = { market: address, commitment: commitment.value }
      const built = await attempt(plannedCall(commitCuratorClaimCall, factory, args), signer)
      const whole = {
        ...built,
        functionName: 'commitCuratorClaim' as const,
        marketAddress: address,
        signer,
        claimFlow: true as const,
        commitment: commitment.value,
        claimSalt: salt,
        claimDelaySeconds: 600 as const,
        claimWindowSeconds: 259_200 as const,
        terms: shownTerms(terms),
        description: COMMITS,
        confirmWith: {
          endpoint: endpointAt(mountedAt, `/markets/queued/${address}/accept`),
          retryWith: { claimSalt: salt },
        },
      }
      return { whole, block, calls: [built.transaction] }
    }

    if (ready.nominee) return adoption(ready, zeroHash)
    if (body.claimSalt === undefined) return claim(request.newSalt())
    const salt = body.claimSalt.toLowerCase() as Hex
    const decided = adoption(ready, salt)
    let reverted: Hex = '0x'
    const built = await attempt(decided.args, signer, (data) => {
      reverted = data
      return explainLending(data)
    })
    const refusal = claimRefusal(reverted)
    // Other terms than those that were committed to: the wait starts anew.
    if (refusal === 'ClaimNotCommitted') return claim(salt)
    if (refusal) throw refusal
    return { ...decided, built }
  },
})
