/** One write as a client sends it, and sends it again until it is acknowledged. */
export interface Write {
  readonly idempotencyKey: string
  readonly method: string
  readonly path: string
  readonly body: unknown
}

export interface Acknowledged extends Write {
  readonly apiKey: string
  readonly answerSha256: string
}

export interface TokenModel {
  /** How often this instance was told that it had imported the token. */
  imports: number
  active: boolean
  profileSector: string | null
  imageURI: string | null
}

/** What one instance must hold, as far as its client was told. */
export interface InstanceModel {
  readonly instanceId: string
  readonly apiKey: string
  readonly tokens: Map<string, TokenModel>
  /** Name of every key that was created, and whether it was revoked since. */
  readonly keys: Map<string, { keyId: string; revoked: boolean }>
  readonly acknowledged: Acknowledged[]
}

export function createInstanceModel(
  instance: { instanceId: string; apiKey: string },
  tokens: readonly string[],
): InstanceModel {
  return {
    ...instance,
    tokens: new Map(
      tokens.map((address) => [address, { imports: 0, active: false, profileSector: null, imageURI: null }]),
    ),
    keys: new Map(),
    acknowledged: [],
  }
}

/** What went wrong; an empty list is the only good end. */
export interface Violations {
  readonly lost: string[]
  readonly doubled: string[]
  readonly half: string[]
  readonly replay: string[]
  readonly other: string[]
}

export const createViolations = (): Violations => ({ lost: [], doubled: [], half: [], replay: [], other: [] })

export const countViolations = (found: Violations): number =>
  Object.values(found).reduce((sum, list: string[]) => sum + list.length, 0)
