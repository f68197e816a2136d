import type { EndReason, MakerView } from '@tallystick/engine'
import { AppError } from '../../platform/app-error.ts'
import type { Chains } from '../../platform/chain/chains.ts'
import type { Clock } from '../../platform/clock.ts'
import type { TenantDatabase } from '../../platform/db/database.ts'
import type { UnitsService } from '../unit/index.ts'
import type { Draft } from './draft.ts'
import { createInquiry } from './inquiry.ts'
import { askMakers, type CheckedMaker } from './makers.ts'
import type { OnchainBook } from './onchain-book.ts'
import { orRefusal } from './or-refusal.ts'
import { askOrderState } from './order-state.ts'
import { requireExpiry, requireSalt } from './order-terms.ts'
import type { OwnFacts } from './placing-signed.ts'
import { isUnreadable } from './salt-prefix.rules.ts'
import { isSignedByKey } from './signed-order.rules.ts'
import type { SignedRows, StoredSigned } from './signed-rows.ts'
import type { Custodies } from './token-terms.service.ts'

/** One new order, and the resting ones to be looked at for it. */
export interface Question {
  readonly draft: Draft
  /** False: the order itself was looked at before. */
  readonly isNew: boolean
  /** Also orders of the same batch that will rest before it. */
  readonly makers: readonly MakerView[]
}

export interface Finding {
  /** Absent when it was not asked for. */
  readonly own?: OwnFacts | AppError
  readonly makers: readonly CheckedMaker[]
}

export interface ChainGateParts {
  readonly clock: Clock
  readonly chains: Chains
  readonly units: UnitsService
  readonly rows: SignedRows
  readonly custodies: Custodies
}

/** Everything that new orders have to know from the chain, in one round trip for all of them. */
export function createChainGate({ clock, chains, units, rows, custodies }: ChainGateParts) {
  async function ask(tenant: TenantDatabase, book: OnchainBook, questions: readonly Question[]): Promise<Finding[]> {
    const chain = chains.get(book.chainId)
    const batch = new Map(questions.map(({ draft }) => [draft.orderId, storedOf(book, draft)]))
    const resting = questions.flatMap(({ makers }) => makers.flatMap(({ order }) => (batch.has(order) ? [] : [order])))
    const [custody, stored, areSignedByKey] = await Promise.all([
      custodies.of(chain, book),
      rows.ofOrders(tenant, book.unitId, resting),
      Promise.all(
        questions.map(({ draft, isNew }) => !isNew || isSignedByKey(draft.signed.trader, draft.hash, draft.signature)),
      ),
    ])
    const signed = new Map([...stored, ...batch])
    const inquiry = createInquiry()
    const market = custody.askMarket(inquiry)
    const asked = questions.map(({ draft, isNew, makers }, index) => {
      const { signed: order, hash, quoteAmount } = draft
      const signature = areSignedByKey[index] ? null : draft.signature
      const own = isNew
        ? {
            state: askOrderState(inquiry, book.custody, { order, hash, signature }, custody.eras),
            backing: custody.askBacking(inquiry, order.trader, order.isBuy ? order.quote : order.token),
            hindrance: custody.askTrader(inquiry, order, quoteAmount),
          }
        : null
      return { draft, own, makers: askMakers(inquiry, book, custody, order, makers, signed) }
    })
    const block = await inquiry.send(chain)
    const closed = market()
    if (closed === 'CHANGED') {
      custodies.forget(book)
      return ask(tenant, book, questions)
    }
    if (closed) throw new AppError(`${closed}_TOKEN_NOT_SUPPORTED`)
    const now = Math.max(block.time, Math.floor(clock.now().getTime() / 1_000))
    return asked.map(({ draft, own, makers }) => ({
      ...(own
        ? {
            own: orRefusal(() => {
              const facts = { state: own.state(), backing: own.backing(), hindrance: own.hindrance(block) }
              requireExpiry(Number(draft.signed.expiry), now, true)
              // A token that is being split says so itself, where it has rules.
              if (!facts.hindrance || !isUnreadable(facts.state.saltPrefix))
                requireSalt(draft.signed.salt, facts.state.saltPrefix)
              if (!facts.state.isSignatureValid) throw new AppError('INVALID_SIGNATURE')
              return facts
            }),
          }
        : {}),
      makers: makers(block),
    }))
  }

  /**
   * Takes resting orders that can never settle off the book, each with the reason. Our own work, so in a commit of its own: a transaction that
   * the caller has open would hold the unit until the order itself has had its turn.
   */
  async function prune(instanceId: string, unitId: string, dead: ReadonlyMap<string, EndReason>): Promise<void> {
    if (dead.size === 0) return
    await units.submit({}, unitId, {
      grant: null,
      looks: { instanceId, holders: [], clientOrderIds: [] },
      perform(turn) {
        for (const [order, reason] of dead) turn.execute({ kind: 'cancel', at: 0, order, reason })
      },
    })
  }

  return {
    /** What the chain says, after the dead are gone. */
    async pass(tenant: TenantDatabase, book: OnchainBook, questions: readonly Question[]): Promise<Finding[]> {
      const findings = await ask(tenant, book, questions)
      const batch = new Set(questions.map(({ draft }) => draft.orderId))
      const dead = new Map(
        findings.flatMap(({ makers }) =>
          makers.flatMap(({ orderId, dead }) => (dead && !batch.has(orderId) ? [[orderId, dead] as const] : [])),
        ),
      )
      await prune(tenant.instanceId, book.unitId, dead)
      return findings.map(({ makers, ...own }) => ({ ...own, makers: makers.filter((one) => one.dead === null) }))
    },
  }
}

export type ChainGate = ReturnType<typeof createChainGate>

const storedOf = ({ custody }: OnchainBook, { orderId, hash, signature, signed }: Draft): StoredSigned => ({
  orderId,
  custody,
  hash,
  signature,
  order: signed,
})
