import { type Hex, toHex, zeroHash } from 'viem'
import { AppError } from '../../platform/app-error.ts'
import { contractRead } from '../../platform/chain/contract-read.ts'
import { abis } from '../contracts.ts'
import { endpointAt } from '../core/index.ts'
import type { LendingParts } from '../parts.ts'
import { generationOf } from '../registers/index.rules.ts'
import { explainLending } from '../reverts/index.ts'
import { acceptCuratorRoleCall, commitCuratorClaimCall } from './adoption-calls.ts'
import type { AcceptBody } from './adoption-request.ts'
import { hashOrNull } from './asset-data-review.rules.ts'
import { claimRefusal } from './claim-refusal.ts'
import { shownTerms } from './curator-terms.rules.ts'
import { orNull } from './factory-entry.rules.ts'
import { createPrepareAdoption, installedRegister, type PreparedAdoption } from './prepare-adoption.service.ts'
import type { QueueRequest } from './queue-request.ts'

const HANDOVER =
  'Oracle, rate model and insurance fund pass to their owners in the same transaction; nothing is left to accept.'

/** From a market in the queue to the transaction that makes the caller its lender of record. */
export function createAcceptMarket(parts: LendingParts) {
  const { chains, writes, random } = parts
  const prepare = createPrepareAdoption(parts)

  /** The adoption itself, and why the chain would refuse the claim behind it, if it would. */
  async function adoption({ instance, mountedAt }: QueueRequest, ready: PreparedAdoption, salt: Hex) {
    const { address, factory, signer, terms, borrowerRegistry, assetData } = ready
    const chain = chains.get(instance.chainId)
    let reverted: Hex = '0x'
    const explain = (data: Hex) => {
      reverted = data
      return explainLending(data)
    }
    const intent = { chain, pair: acceptCuratorRoleCall, target: factory, kind: 'factory' }
    const built = await writes.build(intent, { market: address, terms, salt }, signer, explain)
    const register = borrowerRegistry ?? orNull(terms.borrowerRegistry)
    const data = {
      ...built,
      functionName: 'acceptCuratorRole' as const,
      marketAddress: address,
      signer,
      identityRegistry: register,
      borrowerRegistry: register,
      providerRegistry: orNull(terms.providerRegistry),
      borrowAsset: ready.borrowAsset,
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
      confirmWith: {
        endpoint: endpointAt(mountedAt, `/markets/queued/${address}/confirm-accept`),
        field: 'txHash' as const,
      },
    }
    return { data, calls: [built.transaction], refusal: claimRefusal(reverted) }
  }

  async function claim({ instance, mountedAt }: QueueRequest, ready: PreparedAdoption, salt: Hex) {
    const { address, factory, signer, terms } = ready
    const chain = chains.get(instance.chainId)
    const { results } = await chain.read([
      contractRead(factory, abis.factory, 'claimCommitment', [address, signer, terms, salt]),
    ])
    const [commitment] = results
    if (!commitment.ok) throw new AppError('MARKET_VERIFICATION_UNAVAILABLE')
    const intent = { chain, pair: commitCuratorClaimCall, target: factory, kind: 'factory' }
    const built = await writes.build(intent, { market: address, commitment: commitment.value }, signer, explainLending)
    const data = {
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
      description:
        'Commits to exactly these terms. Ten minutes after it is mined, and within three days, call again with the same terms and this claimSalt. Any change, also a new attestation, needs a new commitment.',
      confirmWith: {
        endpoint: endpointAt(mountedAt, `/markets/queued/${address}/accept`),
        retryWith: { claimSalt: salt },
      },
    }
    return { data, calls: [built.transaction] }
  }

  return async function accept(request: QueueRequest, market: string, body: AcceptBody) {
    const ready = await prepare(request, market, body)
    const { block } = ready
    if (ready.nominee) {
      const { data, calls } = await adoption(request, ready, zeroHash)
      return { data, block, calls }
    }
    if (body.claimSalt === undefined) return { ...(await claim(request, ready, toHex(random(32)))), block }
    const salt = body.claimSalt.toLowerCase() as Hex
    const { data, calls, refusal } = await adoption(request, ready, salt)
    // Other terms than those that were committed to: the wait starts anew.
    if (refusal === 'ClaimNotCommitted') return { ...(await claim(request, ready, salt)), block }
    if (refusal) throw refusal
    return { data, block, calls }
  }
}

export type AcceptMarket = ReturnType<typeof createAcceptMarket>
