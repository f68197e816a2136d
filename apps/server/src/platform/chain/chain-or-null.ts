import { ChainDisagreementError } from './agreement.ts'
import { ChainUnavailableError } from './rpc.ts'

/** What the chain answered; null: it could not be asked. For routes that say so in the answer instead of refusing. */
export async function chainOrNull<T>(reading: Promise<T>): Promise<T | null> {
  try {
    return await reading
  } catch (error) {
    if (error instanceof ChainUnavailableError || error instanceof ChainDisagreementError) return null
    throw error
  }
}
