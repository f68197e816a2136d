import type {
  Address,
  AddUser,
  GetBuiltTransaction,
  GetSession,
  Hex,
  ListBuiltTransactions,
  ListSessions,
  ListUsers,
  OperationSpec,
  SignIn,
} from '@tallystick/sdk'
import { tally } from './client.ts'

const { access } = tally

export type Session = GetSession['data']
export type BuiltTransaction = ListBuiltTransactions['data']['transactions'][number]
export type TransactionStatus = BuiltTransaction['status']
export type Approval = NonNullable<BuiltTransaction['approval']>
/** Without calls: not for whoever asks, or not yet. */
export type TransactionDetail = GetBuiltTransaction['data']
export type User = ListUsers['data']['users'][number]
export type OpenSession = ListSessions['data']['sessions'][number]

const dataOf = async <Data>(answer: Promise<{ data: Data }>): Promise<Data> => (await answer).data

export const getSession = () => dataOf(access.getSession())
export const challenge = (address: Address) => dataOf(access.challengeSignIn({ body: { address } }))
export const signIn = (body: NonNullable<SignIn['request']['body']>) => dataOf(access.signIn({ body }))
export const beginAtProvider = () => dataOf(access.beginProviderSignIn())
export const signOut = () => dataOf(access.signOut())

export const listTransactions = (cursor?: string) =>
  dataOf(access.listBuiltTransactions({ query: { limit: '100', ...(cursor ? { cursor } : {}) } }))
export const getTransaction = (transactionId: string) =>
  dataOf(access.getBuiltTransaction({ params: { transactionId } }))
export const reportHash = (transactionId: string, txHash: Hex) =>
  dataOf(access.reportBuiltTransaction({ params: { transactionId }, body: { txHash } }))
export const approve = (transactionId: string) => dataOf(access.approveBuiltTransaction({ params: { transactionId } }))
export const reject = (transactionId: string, reason: string) =>
  dataOf(access.rejectBuiltTransaction({ params: { transactionId }, body: { reason } }))

export const getApprovalPolicy = () => dataOf(access.getApprovalPolicy())
export const setApprovalPolicy = (secondPerson: boolean) => dataOf(access.setApprovalPolicy({ body: { secondPerson } }))

export const listUsers = () => dataOf(access.listUsers())
export const addUser = (body: AddUser['request']['body']) => dataOf(access.addUser({ body }))
export const changeRole = (userId: string, role: User['role']) =>
  dataOf(access.changeUser({ params: { userId }, body: { role } }))
export const removeUser = (userId: string) => dataOf(access.removeUser({ params: { userId } }))
export const listSessions = () => dataOf(access.listSessions())
export const endSession = (sessionId: string) => dataOf(access.endSession({ params: { sessionId } }))

const { transport } = access.getHealth

/** Of the embedded demo alone, and so of no document. */
async function ask<Data>(method: string, path: string, body?: object): Promise<Data> {
  const operation: OperationSpec = { id: path, method, path }
  const response = await transport.send(operation, body === undefined ? {} : { body })
  return ((await response.json()) as { data: Data }).data
}

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
