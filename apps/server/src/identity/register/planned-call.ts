import type { LatestReader } from './block-reader.ts'
import { aboutWallet } from './confirmed-fields.ts'
import type { PlannedCall } from './register.ts'
import type { WalletOnRegister } from './register-write.ts'
import { findSigner } from './signer.ts'

/** A call about a wallet to sign: by whom, at which block that was found out, and what every such answer says. */
export async function toSign<A extends object>(
  found: WalletOnRegister,
  reader: LatestReader,
  planned: PlannedCall,
  answer: A,
) {
  const signer = await findSigner(reader, found, planned.power)
  return {
    block: reader.block(),
    signer: signer.signerAddress,
    args: planned,
    answer: { ...aboutWallet(found), ...signer, ...answer },
  }
}
