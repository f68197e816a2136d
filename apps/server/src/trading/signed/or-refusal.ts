import { AppError } from '../../platform/app-error.ts'

/** What stands against one order must not stop the others. */
export function orRefusal<T>(work: () => T): T | AppError {
  try {
    return work()
  } catch (error) {
    if (error instanceof AppError) return error
    throw error
  }
}
