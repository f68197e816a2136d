import type { Address } from 'viem'
import { AppError } from '../../platform/app-error.ts'
import type { Chain } from '../../platform/chain/chain.ts'
import { readTransaction } from '../../platform/chain/transaction.ts'
import { loweredHex } from '../../platform/values/hex.rules.ts'
import { candidate } from '../../writes/index.ts'
import type { SetupCall } from './setup.call.ts'

/** What the transaction of a step must have done. */
export interface SetupProof {
  readonly pair: SetupCall
  readonly target: Address
  readonly expected: Parameters<SetupCall['isFor']>[1]
}

/** Holds every hash that was sent against what its step is for. Whether the book can be made is then read from the chain anew. */
export async function checkSetupTransactions(
  chain: Chain,
  hashes: Readonly<Record<string, string | undefined>> | undefined,
  proofs: Readonly<Record<string, SetupProof>>,
): Promise<void> {
  for (const [key, hash] of Object.entries(hashes ?? {})) {
    const proof = proofs[key]
    if (hash === undefined || !proof) continue
    const transaction = await readTransaction(chain, loweredHex(hash))
    if (!transaction) throw new AppError('TX_NOT_FOUND', { detail: `custodySetupTxs.${key} is not mined yet.` })
    const verdict = candidate(proof.pair, proof.expected).verify(proof.target, transaction)
    if (!verdict.ok)
      throw new AppError(verdict.code, {
        detail: `custodySetupTxs.${key}: ${verdict.detail ?? 'this transaction is not the one of the step.'}`,
      })
  }
}
