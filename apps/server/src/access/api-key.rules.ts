import { hash, hkdfSync, timingSafeEqual } from 'node:crypto'

/** What a presented key says about itself. Untrusted until its secret was compared. */
export interface PresentedKey {
  readonly kind: 'instance' | 'register' | 'session'
  readonly ref: string
  readonly secret: string
}

const form = /^(tally|tallyreg)_([0-9A-Za-z]{8})_([0-9a-f]{64})$/
const refAlphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const REF_LENGTH = 8

export const MAX_ACTIVE_KEYS = 10
/** How long a rotated key stays valid beside its successor. */
export const ROTATION_OVERLAP_MS = 7 * 24 * 60 * 60 * 1000

/** What a key can do at most. Null: there is no bound. */
export interface KeyBounds {
  readonly rateLimitPerMinute: number | null
  readonly expiresAt: Date | null
}

/** Says where one key would go beyond another. */
export function beyondBounds(holder: KeyBounds, wanted: KeyBounds): { field: string; message: string }[] {
  const faults: { field: string; message: string }[] = []
  const { rateLimitPerMinute: limit, expiresAt: end } = holder
  if (limit !== null && (wanted.rateLimitPerMinute === null || wanted.rateLimitPerMinute > limit))
    faults.push({
      field: 'rateLimitPerMinute',
      message: `must not exceed ${limit}, which is the limit of your own key`,
    })
  if (end !== null && (wanted.expiresAt === null || wanted.expiresAt > end))
    faults.push({ field: 'expiresAt', message: `must not be after ${end.toISOString()}, when your own key ends` })
  return faults
}

export function parseApiKey(text: string): PresentedKey | null {
  const match = form.exec(text)
  if (!match?.[2] || !match[3]) return null
  return { kind: match[1] === 'tallyreg' ? 'register' : 'instance', ref: match[2], secret: match[3] }
}

const sessionForm = /^([0-9A-Za-z]{8})\.([0-9a-f]{64})$/

/** The value of the cookie. */
export function parseSession(text: string): PresentedKey | null {
  const match = sessionForm.exec(text)
  return match?.[1] && match[2] ? { kind: 'session', ref: match[1], secret: match[2] } : null
}

export const formatSession = ({ ref, secret }: PresentedKey): string => `${ref}.${secret}`

export function formatApiKey({ kind, ref, secret }: PresentedKey): string {
  return `${kind === 'register' ? 'tallyreg' : 'tally'}_${ref}_${secret}`
}

/** A new key from 40 random bytes: 8 choose the public ref, 32 are the secret. */
export function mintApiKey(kind: PresentedKey['kind'], random: (size: number) => Buffer): PresentedKey {
  // 256 is not a multiple of 62: the slight bias only touches the public part.
  const ref = [...random(REF_LENGTH)].map((byte) => refAlphabet[byte % refAlphabet.length]).join('')
  return { kind, ref, secret: random(32).toString('hex') }
}

export function hashSecret(secret: string): Buffer {
  return hash('sha256', secret, 'buffer')
}

/** Another hash than that of a key: what is stored for a session opens nothing as a key, and the other way round. */
const hashSession = (secret: string): Buffer => hashSecret(`session ${secret}`)

/** And of a ticket. */
export const hashTicket = (ticket: string): Buffer => hashSecret(`ticket ${ticket}`)

/** What writes of a session have to show; who knows the hash of the session does not know it. */
export const csrfTokenOf = (secret: string): string => hashSecret(`csrf ${secret}`).toString('hex')

export function secretMatches(secret: string, storedSha256: Uint8Array): boolean {
  return timingSafeEqual(hashSecret(secret), storedSha256)
}

export const hashOf = ({ kind, secret }: PresentedKey): Buffer =>
  kind === 'session' ? hashSession(secret) : hashSecret(secret)

export const presentedMatches = (presented: PresentedKey, storedSha256: Uint8Array): boolean =>
  timingSafeEqual(hashOf(presented), storedSha256)

/** A key that only the holder of the secret can derive; the stored hash does not lead to it. */
export function sealingKeyOf(secret: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, 'tallystick', 'idempotent answers', 32))
}
