import { identityOperations, investorTypes, type LegBodyOf } from '@tallystick/wire'
import { type Address, getAddress } from 'viem'
import { AppError, type Refuse } from '../../platform/app-error.ts'
import { chainOrNull } from '../../platform/chain/chain-or-null.ts'
import { type ConfirmedCandidate, candidate } from '../../writes/index.ts'
import {
  batchVerifyCall,
  type FoundRegister,
  findSigner,
  latestReader,
  ownProvider,
  pastReader,
  readCountries,
  registerWrite,
  verifyCall,
} from '../register/index.ts'
import { alpha3Of } from '../values/index.rules.ts'
import {
  type AcceptedEntry,
  batchGasLimit,
  entriesPerTransaction,
  outcomeOf,
  shownEntry,
  sortEntries,
} from './batch.rules.ts'
import { recordsOf } from './records.service.ts'

type BatchBody = LegBodyOf<typeof identityOperations.batchVerifyIdentities, 'build'>

function requireSupported({ register }: FoundRegister, refuse: Refuse<'REGISTRY_UNSUPPORTED'>): void {
  if (register.kind !== 'TALLYSTICK') throw refuse('REGISTRY_UNSUPPORTED')
}

function sorted({ entries }: BatchBody, times: { now: number; at: Date }, refuse: Refuse<'NO_VALID_ENTRIES'>) {
  const { accepted, rejected } = sortEntries(entries, times)
  if (accepted.length === 0) throw refuse('NO_VALID_ENTRIES', { extra: { rejected } })
  const counts = {
    submitted: accepted.length,
    accepted: accepted.length,
    totalEntries: entries.length,
    rejectedCount: rejected.length,
    rejected,
  }
  return { accepted, counts }
}

/** What became of each entry, by the events of the registry. */
function outcomeIn({ effect, transaction }: ConfirmedCandidate, registry: Address, accepted: readonly AcceptedEntry[]) {
  const verified = verifyCall.settle(registry, transaction.logs)
  const byWallet = new Map(verified.map((one) => [String(one.effect.user), one]))
  const failed = String(effect.failedIndices)
  const reported = {
    processed: Number(effect.processed),
    total: Number(effect.total),
    failed: failed === '' ? [] : failed.split(',').map(Number),
  }
  const outcome = outcomeOf(accepted, reported, new Set(byWallet.keys()))
  if (!outcome) throw new AppError('TX_ENTRIES_MISMATCH')
  return { ...outcome, byWallet }
}

/** Verifying many wallets in one transaction. */
export const batchVerifyIdentities = registerWrite(identityOperations.batchVerifyIdentities, {
  async build({ body, refuse, now, ...found }) {
    requireSupported(found, refuse)
    const { register, chain } = found
    const block = await chain.latest()
    const { accepted, counts } = sorted(body, { now: block.time, at: now }, refuse)
    const signer = await findSigner(latestReader(chain), found, ownProvider(register.address))
    return {
      block,
      signer: signer.signerAddress,
      args: {
        call: batchVerifyCall.prepare(register.address, accepted),
        functionName: batchVerifyCall.functionName,
      },
      answer: {
        ...signer,
        registerKind: register.kind,
        registryAddress: register.address,
        description: `Verifies ${accepted.length} identities.`,
        ...counts,
        entries: accepted.map(({ index, wallet, country, ...input }) => ({
          index,
          walletAddress: getAddress(wallet),
          country: country.alpha3,
          ...input,
        })),
        gasLimit: String(batchGasLimit(accepted.length)),
        entriesPerTransaction,
      },
    }
  },

  evidence(request) {
    const { register, body, now, refuse } = request
    requireSupported(request, refuse)
    const { address } = register
    // Only the order of the wallets counts here, not the times that expiries run from.
    const { accepted } = sorted(body, { now: 0, at: now }, refuse)
    return {
      target: address,
      kind: 'identityRegistry',
      candidates: [candidate(batchVerifyCall, { wallets: accepted.map(({ wallet }) => wallet) })],
      refuse: ({ logs }) => (batchVerifyCall.settle(address, logs).length > 0 ? refuse('TX_ENTRIES_MISMATCH') : null),
    }
  },

  async along(proof, request) {
    const { register, chain, body, now, refuse } = request
    const { accepted, counts } = sorted(body, { now: 0, at: now }, refuse)
    const outcome = outcomeIn(proof, register.address, accepted)
    const wallets = outcome.verified.map(({ wallet }) => wallet)
    const then = pastReader(chain, proof.transaction.block)
    const countries = await chainOrNull(readCountries(then, register.address, wallets))
    const records = wallets.map((wallet, index) => ({
      wallet,
      logIndex: outcome.byWallet.get(wallet)?.logIndex ?? proof.logIndex,
      status: 'verified' as const,
      country: alpha3Of(countries?.[index] ?? 0),
      investorType: investorTypes[Number(outcome.byWallet.get(wallet)?.effect.investorType)] ?? null,
    }))
    return { seen: { outcome, counts }, alongside: recordsOf(request, proof, records) }
  },

  proven: ({ transaction }, { register }, { outcome: { verified, skipped, notProcessed }, counts }) => ({
    registerKind: register.kind,
    registryAddress: register.address,
    ...counts,
    verified: verified.map(({ wallet }) => getAddress(wallet)),
    onChainSkipped: skipped.map(shownEntry),
    notProcessed: notProcessed.map(shownEntry),
    gasUsed: transaction.gasUsed.toString(),
  }),
})
