import type { Service } from '@tallystick/wire'

/** A tenant, as its row says. */
export interface InstanceRow {
  readonly instanceId: string
  readonly name: string
  readonly chainId: bigint
  readonly environment: 'DEVELOPMENT' | 'PRODUCTION'
  readonly services: Service[]
  readonly lenderApproved: boolean
  readonly status: 'ACTIVE' | 'ARCHIVED'
  readonly createdAt: Date
}
