import type { UserRole } from '@tallystick/wire'

/** How long it waits for a decision, and once it is approved, for its signature. The same for who asks to end the requirement. */
const APPROVAL_MS = 24 * 60 * 60_000

export const approvalUntil = (now: Date): Date => new Date(now.getTime() + APPROVAL_MS)

/** Whether somebody who asked then is still heard. */
export const isStillAsked = (askedAt: Date, now: Date): boolean => now < approvalUntil(askedAt)

export const mayApprove = (role: UserRole): boolean => role === 'approver' || role === 'admin'

export const mayBuild = (role: UserRole): boolean => role !== 'viewer'

/** Who built something: a user, or the holder of a key. */
export interface Maker {
  readonly userId: string | null
  readonly keyId: string | null
}

/** Somebody who asks, in a session or with a key. */
export interface Asker extends Maker {
  readonly role: UserRole | null
}

export const isMaker = (one: Maker, maker: Maker): boolean =>
  maker.userId === null ? one.keyId !== null && one.keyId === maker.keyId : one.userId === maker.userId

export type ApprovalStatus = 'PENDING' | 'APPROVED' | 'REJECTED' | 'EXPIRED'

export interface Waiting {
  readonly approvalUntil: Date
  readonly decision: 'APPROVED' | 'REJECTED' | null
  readonly txHash: string | null
}

/** What was sent was approved, however long ago. */
export function approvalStatus({ approvalUntil: until, decision, txHash }: Waiting, now: Date): ApprovalStatus {
  if (decision === 'REJECTED' || (decision === 'APPROVED' && txHash !== null)) return decision
  return now >= until ? 'EXPIRED' : (decision ?? 'PENDING')
}

/** Whoever approves has to see what it is; the maker, once it is approved. */
export function mayReadCalls(asker: Asker, maker: Maker, status: ApprovalStatus): boolean {
  const approves = asker.role !== null && mayApprove(asker.role)
  if (status === 'PENDING') return approves && !isMaker(asker, maker)
  return status === 'APPROVED' && (approves || (isMaker(asker, maker) && (asker.role === null || mayBuild(asker.role))))
}
