import { type AppCode, AppError } from '../../platform/app-error.ts'
import { ChainUnavailableError } from '../../platform/chain/rpc.ts'

/** Chain reads of a build: when the chain cannot be asked, the route's own code says so. */
export async function readOr<T>(code: AppCode, reading: Promise<T>): Promise<T> {
  try {
    return await reading
  } catch (error) {
    if (error instanceof ChainUnavailableError) throw new AppError(code, { cause: error })
    throw error
  }
}
