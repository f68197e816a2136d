import type { Address } from 'viem'
import { AppError } from '../../platform/app-error.ts'
import type { BlockReader } from './block-reader.ts'
import type { NamedRegister } from './find-register.ts'
import type { Power } from './register.ts'

export interface Signer {
  readonly requiredRole: string
  readonly signerAddress: Address | null
}

/**
 * Which wallet of the instance may sign. None of them may: the build is refused, since nobody here could ever send it. Without
 * wallets, or when the role cannot be read, nothing is refused.
 */
export async function findSigner(
  reader: BlockReader,
  { wallets }: Pick<NamedRegister, 'wallets'>,
  { requiredRole, missingCode, reads }: Power,
): Promise<Signer> {
  const results = wallets.length > 0 ? await reader.read(reads(wallets)) : []
  const holds = (index: number) => {
    const result = results[index]
    return result?.ok === true && result.value
  }
  const signerAddress = wallets.find((_, index) => holds(index)) ?? null
  const isKnown = wallets.length > 0 && results.every(({ ok }) => ok)
  if (!signerAddress && isKnown && missingCode) throw new AppError(missingCode, { extra: { requiredRole } })
  return { requiredRole, signerAddress }
}
