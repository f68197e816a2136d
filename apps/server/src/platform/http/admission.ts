import { AppError } from '../app-error.ts'

export interface AdmissionBounds {
  /** Requests that may be in the house at once, of all together. */
  readonly inAll: number
  /** Of them, those of one instance. */
  readonly perInstance: number
}

export const DEFAULT_ADMISSION: AdmissionBounds = { inAll: 1_024, perInstance: 256 }

export interface Admission {
  /** Lets a request in, or refuses it before anything was done. What it answers is called when the request is over. */
  enter(owner: string): () => void
  readonly inside: number
}

/**
 * Whoever would only make a queue longer is told so at once: a request that waits for seconds is repeated by its sender, and then there are
 * two. And one instance that sends more than it gets done does not fill the house for the others.
 */
export function createAdmission({ inAll, perInstance }: AdmissionBounds): Admission {
  const byOwner = new Map<string, number>()
  let inside = 0
  return {
    get inside() {
      return inside
    },
    enter(owner) {
      const own = byOwner.get(owner) ?? 0
      if (inside >= inAll || own >= perInstance) throw new AppError('OVERLOADED')
      byOwner.set(owner, own + 1)
      inside += 1
      return () => {
        const left = (byOwner.get(owner) ?? 1) - 1
        if (left > 0) byOwner.set(owner, left)
        else byOwner.delete(owner)
        inside -= 1
      }
    },
  }
}
