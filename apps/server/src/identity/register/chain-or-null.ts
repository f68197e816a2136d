import { ChainDisagreementError } from '../../platform/chain/agreement.ts'
import { ChainUnavailableError } from '../../platform/chain/rpc.ts'

/** What the chain answered; null: it could not be asked. For answers that say so instead of refusing. */
export async function chainOrNull<T>(reading: Promise<T>): Promise<T | null> {
  try {
    return await reading
  } catch (error) {
    if (error instanceof ChainUnavailableError || error instanceof ChainDisagreementError) return null
    throw error
  }
}
