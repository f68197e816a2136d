import type { UserRole } from '@tallystick/wire'
import type { accountIndex } from './development-accounts.ts'

interface ConsoleRole {
  readonly role: string
  readonly name: string
  /** The role of its instance in the demo. */
  readonly instance: string
  readonly account: keyof typeof accountIndex
  readonly userRole: UserRole
}

/** As whom a visitor can use the console with one click. */
export const consoleRoles: readonly ConsoleRole[] = [
  { role: 'lender', name: 'Lender of record', instance: 'lender', account: 'lender', userRole: 'admin' },
  // The lender of record is who liquidates its loans.
  { role: 'liquidator', name: 'Lender of record', instance: 'lender', account: 'lender', userRole: 'admin' },
  { role: 'approver', name: 'Approver of the lender', instance: 'lender', account: 'approver', userRole: 'approver' },
  { role: 'administrator', name: 'Issuer platform', instance: 'issuer', account: 'issuer', userRole: 'admin' },
  { role: 'borrower', name: 'Borrower', instance: 'issuer', account: 'borrower', userRole: 'operator' },
  { role: 'investor', name: 'Trader', instance: 'trader', account: 'trader', userRole: 'admin' },
  { role: 'outsider', name: 'Outsider', instance: 'outsider', account: 'outsider', userRole: 'admin' },
]
