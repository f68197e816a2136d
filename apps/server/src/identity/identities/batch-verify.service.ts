import { type BodyOf, type identityOperations, investorTypes } from '@tallystick/wire'
import { type Address, getAddress, type Hex } from 'viem'
import { type ConfirmedCandidate, candidate } from '../../intents/index.ts'
import { AppError } from '../../platform/app-error.ts'
import { chainOrNull } from '../../platform/chain/chain-or-null.ts'
import type { Sql } from '../../platform/db/database.ts'
import type { IdentityParts } from '../parts.ts'
import { latestReader, pastReader } from '../register/block-reader.ts'
import { buildCall, findSigner } from '../register/build-call.ts'
import { confirmAt } from '../register/endpoint.ts'
import type { FindRegister, FoundRegister, IdentityCall } from '../register/find-register.service.ts'
import { ownProvider, readCountries } from '../register/own-register.ts'
import { batchVerifyCall, verifyCall } from '../register/own-registry.call.ts'
import {
  type AcceptedEntry,
  batchGasLimit,
  entriesPerTransaction,
  outcomeOf,
  shownEntry,
  sortEntries,
} from './batch.rules.ts'
import { alpha3Of } from './countries.rules.ts'
import { insertRecord } from './records.store.ts'

type BatchBody = BodyOf<typeof identityOperations.batchVerifyIdentities>

function requireSupported({ register }: FoundRegister): void {
  if (register.kind !== 'TALLYSTICK') throw new AppError('REGISTRY_UNSUPPORTED')
}

/** What became of each entry, by the events of the registry. */
function outcomeIn({ effect, transaction }: ConfirmedCandidate, registry: Address, accepted: readonly AcceptedEntry[]) {
  const verified = verifyCall.settle(registry, transaction.logs)
  const byWallet = new Map(verified.map((one) => [String(one.effect.user), one]))
  const failed = String(effect.failedIndices)
  const told = {
    processed: Number(effect.processed),
    total: Number(effect.total),
    failed: failed === '' ? [] : failed.split(',').map(Number),
  }
  const outcome = outcomeOf(accepted, told, new Set(byWallet.keys()))
  if (!outcome) throw new AppError('TX_ENTRIES_MISMATCH')
  return { ...outcome, byWallet }
}

/** Verifying many wallets in one transaction. */
export function createBatchVerify({ clock, intents }: IdentityParts, registers: FindRegister) {
  function sorted({ entries }: BatchBody, now: number) {
    const { accepted, rejected } = sortEntries(entries, { now, at: clock.now() })
    if (accepted.length === 0) throw new AppError('NO_VALID_ENTRIES', { extra: { rejected } })
    const counts = {
      submitted: accepted.length,
      accepted: accepted.length,
      totalEntries: entries.length,
      rejectedCount: rejected.length,
      rejected,
    }
    return { accepted, counts }
  }

  return {
    async build(call: IdentityCall, body: BatchBody) {
      const found = await registers.find(call, body.registryAddress)
      requireSupported(found)
      const { register, chain } = found
      const block = await chain.latest()
      const { accepted, counts } = sorted(body, block.time)
      const power = ownProvider(register.address)
      const signer = await findSigner(latestReader(chain), found, power)
      const planned = {
        call: batchVerifyCall.prepare(register.address, accepted),
        functionName: batchVerifyCall.functionName,
        power,
      }
      const built = await buildCall(found, planned, signer, clock)
      const data = {
        ...built,
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
        confirmWith: confirmAt('/batch-verify'),
      }
      return { data, block, calls: [built.transaction] }
    },

    async confirm(call: IdentityCall, body: BatchBody & { txHash: string }) {
      const found = await registers.find(call, body.registryAddress)
      requireSupported(found)
      const { register, chain } = found
      // Only the order of the wallets counts here, not the times that expiries run from.
      const { accepted, counts } = sorted(body, 0)
      const told = async (proof: ConfirmedCandidate) => {
        const { byWallet, verified } = outcomeIn(proof, register.address, accepted)
        const wallets = verified.map(({ wallet }) => wallet)
        const then = pastReader(chain, proof.transaction.block)
        const countries = await chainOrNull(readCountries(then, register.address, wallets))
        const rows = wallets.map((wallet, index) => ({
          chainId: chain.chainId,
          registry: register.address,
          wallet,
          txHash: proof.transaction.hash,
          logIndex: byWallet.get(wallet)?.logIndex ?? proof.logIndex,
          status: 'verified' as const,
          country: alpha3Of(countries?.[index] ?? 0),
          investorType: investorTypes[Number(byWallet.get(wallet)?.effect.investorType)] ?? null,
        }))
        return {
          asTenant: async (sql: Sql) => {
            for (const row of rows) await insertRecord(sql, call.tenant.instanceId, row, clock.now())
          },
        }
      }
      const place = { chain, target: register.address, kind: 'identityRegistry' }
      const proof = await intents.confirmOneOf(
        call.tenant,
        place,
        [candidate(batchVerifyCall, { wallets: accepted.map(({ wallet }) => wallet) })],
        body.txHash as Hex,
        told,
        ({ logs }) =>
          batchVerifyCall.settle(register.address, logs).length > 0 ? new AppError('TX_ENTRIES_MISMATCH') : null,
      )
      const { verified, skipped, notProcessed } = outcomeIn(proof, register.address, accepted)
      const { transaction, verifiedBy } = proof
      const data = {
        registerKind: register.kind,
        registryAddress: register.address,
        ...counts,
        verified: verified.map(({ wallet }) => getAddress(wallet)),
        onChainSkipped: skipped.map(shownEntry),
        notProcessed: notProcessed.map(shownEntry),
        txHash: transaction.hash,
        gasUsed: transaction.gasUsed.toString(),
        ...(verifiedBy ? { verifiedBy } : {}),
      }
      return { data, block: transaction.block }
    },
  }
}

export type BatchVerify = ReturnType<typeof createBatchVerify>
