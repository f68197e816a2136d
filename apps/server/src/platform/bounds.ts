// What one process bears, unless its operator says otherwise.

export interface AdmissionBounds {
  /** Requests that may be in the house at once, of all together. */
  readonly inAll: number
  /** Of them, those of one instance. */
  readonly perInstance: number
}

export const DEFAULT_ADMISSION: AdmissionBounds = { inAll: 1_024, perInstance: 256 }

/** How long work in the database may take, in milliseconds. */
export interface PatienceSettings {
  /** Of requests. */
  readonly statementMs: number
  readonly lockMs: number
  /** Of the venue, for each of the three. */
  readonly venueMs: number
  /** Of background jobs. */
  readonly jobMs: number
}

export const DEFAULT_PATIENCE: PatienceSettings = {
  statementMs: 10_000,
  lockMs: 5_000,
  venueMs: 3_000,
  jobMs: 600_000,
}
