import { randomUUID } from 'node:crypto'
import { type Operation, operations } from '@tallystick/wire'
import type { TSchema } from 'typebox'
import { identityBodies } from './identity-requests.ts'
import { lendingBodies } from './lending/requests/index.ts'
import { relayerBodies } from './relayer-requests.ts'
import { stocksBodies } from './stocks-requests.ts'
import { tradingBodies } from './trading-requests.ts'

export interface PlausibleRequest {
  readonly method: string
  readonly path: string
  readonly body?: Record<string, unknown>
  /** With an Idempotency-Key where the operation needs one. */
  readonly headers: Record<string, string>
}

const ADDRESS = `0x${'5'.repeat(40)}`
const HASH = `0x${'7'.repeat(64)}`

const parameters: Record<string, string> = {
  keyId: '01890000-0000-7000-8000-00000000000a',
  address: ADDRESS,
  tokenAddress: ADDRESS,
  marketId: '01890000-0000-7000-8000-00000000000b',
  market: ADDRESS,
  vaultAddress: ADDRESS,
  holder: ADDRESS,
  provider: ADDRESS,
  userAddress: ADDRESS,
  account: ADDRESS,
  walletAddress: ADDRESS,
  positionId: '01890000-0000-8000-8000-00000000000f',
  loanId: '1',
  auctionId: '1',
  proposalId: '1',
  liquidationId: '1',
  action: 'confirm',
  version: '1',
  hookId: '01890000-0000-7000-8000-00000000000c',
  deliveryId: '01890000-0000-7000-8000-00000000000d',
  id: '01890000-0000-8000-8000-00000000000e',
  orderBookId: '01890000-0000-7000-8000-000000000010',
  orderId: '01890000-0000-7000-8000-000000000011',
  accountId: '01890000-0000-7000-8000-000000000012',
  importId: '01890000-0000-7000-8000-000000000015',
  settlementId: '01890000-0000-7000-8000-000000000016',
  quoteId: '01890000-0000-7000-8000-000000000016',
  customerRef: 'customer',
  custodyContract: ADDRESS,
  transactionId: '01890000-0000-7000-8000-000000000019',
  userId: '01890000-0000-7000-8000-000000000017',
  sessionId: '01890000-0000-7000-8000-000000000018',
}

const bodies: Record<string, Record<string, unknown>> = {
  createKey: { name: 'plausible', scopes: ['access:read'] },
  challengeWallet: { address: ADDRESS },
  registerWallet: { address: ADDRESS, nonce: 'plausible', signature: '0x00' },
  addUser: { address: ADDRESS, name: 'plausible', role: 'viewer' },
  changeUser: { name: 'plausible' },
  createStreamTicket: { path: '/orderbooks/stocks/api/rfq/stream' },
  rejectBuiltTransaction: { reason: 'plausible' },
  setApprovalPolicy: { secondPerson: true },
  detectToken: { tokenAddress: ADDRESS },
  importToken: { tokenAddress: ADDRESS, assetType: 'BOND' },
  setProfile: { profile: null },
  setImage: { imageURI: null },
  ...lendingBodies,
  ...tradingBodies,
  ...stocksBodies,
  ...identityBodies,
  ...relayerBodies,
}

/** Where an operation cannot do without a query. */
const queries: Record<string, string> = {
  getAccountStatement: '?from=2026-01-01T00:00:00Z&to=2026-02-01T00:00:00Z',
  search: '?q=bank',
  searchIssuers: '?q=bank',
  getExposure: `?walletAddress=${ADDRESS}`,
  canTransferShares: `?from=${ADDRESS}&to=0x${'6'.repeat(40)}&amount=1`,
  getRouterStats: '?marketId=01890000-0000-7000-8000-00000000000b',
  previewAssetData: `?collateralTokenAddress=${ADDRESS}&borrowAssetAddress=0x${'6'.repeat(40)}`,
}

/** Something of the right form, of no more than has to be there. Where a rule beyond the form decides, `bodies` has a body by hand. */
function plausibleValue(schema: TSchema): unknown {
  const { type, anyOf, pattern, minimum, minLength, minItems, items, properties, required } = schema as Form
  if ('const' in schema) return schema.const
  if (anyOf?.[0]) return plausibleValue(anyOf[0])
  if (type === 'object')
    return Object.fromEntries((required ?? []).map((name) => [name, plausibleValue(properties?.[name] ?? {})]))
  if (type === 'array') return Array.from({ length: minItems ?? 0 }, () => plausibleValue(items ?? {}))
  if (type === 'integer' || type === 'number') return minimum ?? 1
  if (type === 'boolean') return true
  const texts = [ADDRESS, HASH, '1', '1'.repeat(minLength ?? 1)]
  const fitting = texts.find((text) => pattern === undefined || new RegExp(pattern).test(text))
  if (fitting === undefined) throw new Error(`no plausible text for ${pattern} yet: add one`)
  return fitting
}

interface Form {
  readonly type?: string
  readonly anyOf?: readonly TSchema[]
  readonly pattern?: string
  readonly minimum?: number
  readonly minLength?: number
  readonly minItems?: number
  readonly items?: TSchema
  readonly properties?: Readonly<Record<string, TSchema>>
  readonly required?: readonly string[]
}

/** A request of the right form for any operation; `given` replaces path parameters and body fields of these names. */
export function plausibleRequest(operation: Operation, given: Record<string, string> = {}): PlausibleRequest {
  const route = operation.path.replace(/\{(\w+)\}/g, (_match, name: string) => {
    const value = given[name] ?? parameters[name]
    if (value === undefined) throw new Error(`no plausible path parameter ${name} for ${operation.id} yet: add one`)
    return value
  })
  const path = `${route}${queries[operation.id] ?? ''}`
  const headers: Record<string, string> = operation.needsKey ? { 'idempotency-key': randomUUID() } : {}
  if (!operation.body) return { method: operation.method, path, headers }
  const body = bodies[operation.id] ?? (plausibleValue(operation.body) as Record<string, unknown>)
  const replaced = Object.fromEntries(Object.entries(body).map(([name, value]) => [name, given[name] ?? value]))
  return { method: operation.method, path, body: replaced, headers }
}

type WorkLeg = keyof Operation['legs']

/** What makes a request a confirmation: a hash, or a list of them. */
const confirmation = ({ confirmedBy }: Operation) => (confirmedBy ? { [confirmedBy]: [] } : { txHash: HASH })

/** A request of the right form for each leg of an operation: with a hash it is a confirmation. */
export function everyLeg(operation: Operation, given: Record<string, string> = {}): [WorkLeg, PlausibleRequest][] {
  const request = plausibleRequest(operation, given)
  const legs = Object.keys(operation.legs) as WorkLeg[]
  if (legs.length === 1) return legs.map((leg) => [leg, request])
  return legs.map((leg) => {
    const body = { ...request.body, ...(leg === 'confirm' ? confirmation(operation) : {}) }
    return [leg, { ...request, body }]
  })
}

type Named = readonly [name: string, operation: Operation]
const named = (some: readonly Operation[]): Named[] => some.map((operation) => [operation.id, operation])

/** For `it.each`: every endpoint that asks for a key. */
export const everyOperation: readonly Named[] = named(operations.filter(({ open }) => !open))
/** For `it.each`: every one of them that takes a body or changes something. */
export const everyWrite: readonly Named[] = everyOperation.filter(([, { method }]) => method !== 'GET')
/** For `it.each`: every endpoint that asks for none, since it is how one comes by a session. */
export const everyOpen: readonly Named[] = named(operations.filter(({ open }) => open))

/**
 * Some of several variants of one fault, other ones for the next operation: one code reads them all, so that each operation shows that it
 * passes there, and all of them together show every variant.
 */
export function someOf<Variant>(variants: readonly Variant[], operation: Operation, count = 2): Variant[] {
  const from = Math.max(0, operations.indexOf(operation)) * count
  return Array.from(
    { length: Math.min(count, variants.length) },
    (_, index) => variants[(from + index) % variants.length] as Variant,
  )
}
