import type { Address, Hex, OperationSpec } from '@tallystick/sdk'
import { tally } from './client.ts'

export interface Session {
  readonly sessionId: string
  readonly kind: 'user' | 'key'
  readonly csrfToken: string
  readonly user: { userId: string; address: Address; name: string; role: string } | null
  readonly keyId: string | null
  readonly role: string | null
  readonly name: string
  readonly scopes: readonly string[]
  readonly instance: { instanceId: string; name: string; chainId: number; environment: string }
  readonly expiresAt: string
}

export interface Approval {
  readonly status: 'PENDING' | 'APPROVED' | 'REJECTED' | 'EXPIRED'
  readonly expiresAt: string
  readonly decidedBy: { userId: string; name: string } | null
  readonly decidedAt: string | null
  readonly reason: string | null
}

export type TransactionStatus = 'PENDING' | 'REJECTED' | 'EXPIRED' | 'BUILT' | 'SENT' | 'MINED' | 'FINAL' | 'UNDONE'

export interface BuiltTransaction {
  readonly transactionId: string
  readonly operation: string
  readonly summary: string
  readonly status: TransactionStatus
  readonly maker: { name: string; userId: string | null }
  readonly path: string
  readonly txHash: Hex | null
  readonly builtAt: string
  readonly sentAt: string | null
  readonly blockNumber: string | null
  /** Null: nobody has to approve it. */
  readonly approval: Approval | null
}

export interface TransactionDetail extends BuiltTransaction {
  /** Null: not for whoever asks, or not yet. */
  readonly calls: readonly { chainId: number; to: Address | null; data: Hex; value: string }[] | null
  readonly body: Record<string, unknown>
}

const { transport } = tally.access.getHealth

async function ask<Data>(method: string, path: string, body?: object): Promise<Data> {
  const operation: OperationSpec = { id: path, method, path }
  const response = await transport.send(operation, body === undefined ? {} : { body })
  return ((await response.json()) as { data: Data }).data
}

export const getSession = () => ask<Session>('GET', '/access/api/session')
export const challenge = (address: Address) =>
  ask<{ nonce: string; message: string }>('POST', '/access/api/sign-in/challenge', { address })
export const signIn = (
  body: { apiKey: string } | { address: Address; nonce: string; signature: Hex; instanceId?: string },
) => ask<Session>('POST', '/access/api/sign-in', body)
export const signOut = () => ask<{ ended: number }>('DELETE', '/access/api/session')

export const listTransactions = (cursor?: string) =>
  ask<{ transactions: readonly BuiltTransaction[]; nextCursor: string | null }>(
    'GET',
    `/access/api/transactions?limit=100${cursor ? `&cursor=${encodeURIComponent(cursor)}` : ''}`,
  )
export const getTransaction = (id: string) =>
  ask<TransactionDetail>('GET', `/access/api/transactions/${encodeURIComponent(id)}`)
export const reportHash = (id: string, txHash: Hex) =>
  ask<BuiltTransaction>('POST', `/access/api/transactions/${encodeURIComponent(id)}/sent`, { txHash })

const decisionPath = (id: string, how: string) => `/access/api/transactions/${encodeURIComponent(id)}/${how}`
export const approve = (id: string) => ask<BuiltTransaction>('POST', decisionPath(id, 'approve'))
export const reject = (id: string, reason: string) =>
  ask<BuiltTransaction>('POST', decisionPath(id, 'reject'), { reason })

export interface ApprovalPolicy {
  readonly secondPerson: boolean
  readonly endAskedBy: { userId: string; name: string } | null
}

export const getApprovalPolicy = () => ask<ApprovalPolicy>('GET', '/access/api/approval-policy')
export const setApprovalPolicy = (secondPerson: boolean) =>
  ask<ApprovalPolicy>('PUT', '/access/api/approval-policy', { secondPerson })

export interface DemoRole {
  readonly role: string
  readonly name: string
  readonly instanceName: string
  readonly address: Address
  readonly userRole: string
}

/** Only the embedded demo has these; elsewhere nobody answers. */
export const demoRoles = () => ask<{ roles: readonly DemoRole[] }>('GET', '/demo/api/roles')
export const demoSignIn = (role: string) => ask<Session>('POST', '/demo/api/sign-in', { role })
export const demoSend = (calls: readonly { to: Address | null; data: Hex }[]) =>
  ask<{ from: Address; hashes: readonly Hex[] }>('POST', '/demo/api/send', {
    transactions: calls.map(({ to, data }) => (to === null ? { data } : { to, data })),
  })

/** Only orders, and only what the service prepared: EIP-712 with the key of who is signed in. */
export const demoSignOrder = (typed: { domain: object; order: object }) =>
  ask<{ signature: Hex }>('POST', '/demo/api/sign-order', typed)

export interface User {
  readonly userId: string
  readonly address: Address
  readonly name: string
  readonly role: string
  readonly createdAt: string
}

export interface OpenSession {
  readonly sessionId: string
  readonly kind: string
  readonly name: string
  readonly role: string | null
  readonly current: boolean
  readonly seenAt: string
  readonly expiresAt: string
  readonly userAgent: string | null
}

export const listUsers = () => ask<{ users: readonly User[] }>('GET', '/access/api/users')
export const addUser = (body: { name: string; address: string; role: string }) =>
  ask<User>('POST', '/access/api/users', body)
export const changeRole = (userId: string, role: string) => ask<User>('PATCH', `/access/api/users/${userId}`, { role })
export const removeUser = (userId: string) => ask<{ removed: boolean }>('DELETE', `/access/api/users/${userId}`)
export const listSessions = () => ask<{ sessions: readonly OpenSession[] }>('GET', '/access/api/sessions')
export const endSession = (sessionId: string) => ask<{ ended: number }>('DELETE', `/access/api/sessions/${sessionId}`)
