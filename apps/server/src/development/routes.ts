import type { UserRole } from '@tallystick/wire'
import type { SessionsService } from '../access/index.ts'
import { AppError } from '../platform/app-error.ts'
import { openRoute, type Route, route } from '../platform/http/route.ts'
import { listRoles, send, signInAs, signOrder } from './operations.ts'

/** Somebody of the demo, whose key everybody knows. */
export interface DevelopmentRole {
  readonly role: string
  readonly name: string
  readonly instanceId: string
  readonly instanceName: string
  /** Of its wallet, lowercased. */
  readonly address: string
  readonly userRole: UserRole
}

export interface DevelopmentCall {
  readonly to?: string
  readonly data: string
  readonly value?: string
}

/** An EIP-712 order of the custody contracts, its figures as text. */
export interface DevelopmentOrder {
  readonly domain: {
    readonly name: string
    readonly version: string
    readonly chainId: number
    readonly verifyingContract: string
  }
  readonly order: Readonly<Record<string, string | boolean>>
}

/** What the demo brings along. */
export interface DevelopmentRoles {
  /** As far as they are seeded. */
  list(): readonly DevelopmentRole[]
  /** Whether it has the key of this account. */
  holds(instanceId: string, address: string): boolean
  /** Signs and sends in order, and answers the hashes without waiting for a block. Throws TX_REVERTED for what the chain would refuse. */
  send(address: string, calls: readonly DevelopmentCall[]): Promise<readonly string[]>
  signOrder(address: string, order: DevelopmentOrder): Promise<string>
}

/** Only ever mounted on the embedded chain. */
export const developmentRoutes = (sessions: SessionsService, roles: DevelopmentRoles): Route[] => [
  openRoute(listRoles, async () => ({ data: { roles: [...roles.list()] } })),

  openRoute(signInAs, async ({ body, ...place }) => {
    const found = roles.list().find(({ role }) => role === body.role)
    if (!found) throw new AppError('USER_UNKNOWN')
    return sessions.signInAs(found, place)
  }),

  route(send, async ({ caller, body }) => {
    const { user } = caller.session ?? {}
    const from = (body.from ?? user?.address ?? '').toLowerCase()
    // A key that is not of the demo's own world has no business here, nor has who came without a session.
    if (!user || !roles.holds(caller.instance.instanceId, from)) throw new AppError('USER_UNKNOWN')
    return { data: { from, hashes: [...(await roles.send(from, body.transactions))] } }
  }),

  route(signOrder, async ({ caller, body }) => {
    const address = caller.session?.user?.address ?? ''
    // Nobody signs for somebody else, not even here.
    const isOwn = String(body.order.trader).toLowerCase() === address
    if (!isOwn || !roles.holds(caller.instance.instanceId, address)) throw new AppError('USER_UNKNOWN')
    return { data: { signature: await roles.signOrder(address, body) } }
  }),
]
