import { type Address, getAddress } from 'viem'
import type { MinedTransaction } from '../../platform/chain/transaction.ts'
import type { Register } from './register.ts'

/** What every confirmation answers about the transaction. */
export const confirmedFields = (
  register: Register,
  wallet: Address,
  proof: { readonly transaction: MinedTransaction; readonly verifiedBy: 'receipt-log' | undefined },
) => ({
  walletAddress: getAddress(wallet),
  txHash: proof.transaction.hash,
  gasUsed: proof.transaction.gasUsed.toString(),
  ...(proof.verifiedBy ? { verifiedBy: proof.verifiedBy } : {}),
  registerKind: register.kind,
  registryAddress: register.address,
})
