import type { identityOperations, QueryOf } from '@tallystick/wire'
import type { Address } from 'viem'
import { chainOrNull } from '../../platform/chain/chain-or-null.ts'
import { asCursor, countOf, readCursor } from '../../platform/page.ts'
import { statusOf } from '../identities/index.ts'
import type { IdentityParts } from '../parts.ts'
import { type FindRegister, type IdentityCall, type IdentityState, latestReader } from '../register/index.ts'
import { slotAt } from '../values/index.rules.ts'
import { type InvestorRow, listInvestors } from './investors.store.ts'

type Query = QueryOf<typeof identityOperations.listInvestors>

const CURSOR = /^\d{4}-\d\d-\d\dT[\d:.]{8,15}Z 0x[0-9a-f]{40} 0x[0-9a-f]{40}$/
const DAY = 86_400

const unread = { status: null, frozen: null, softExpiry: null, hardExpiry: null }
const shownState = (state: IdentityState) => ({
  status: statusOf(state),
  frozen: state.isFrozen,
  softExpiry: state.softExpiry,
  hardExpiry: state.hardExpiry,
})

const shownRow = (row: InvestorRow, state: IdentityState | null) => ({
  walletAddress: row.wallet,
  registryAddress: row.registry,
  recorded: row.recorded,
  recordedAt: row.recordedAt.toISOString(),
  country: row.country,
  investorType: row.investorType,
  ...(state ? shownState(state) : unread),
  claims: row.claims.map(({ slot, ...claim }) => ({ claimType: slotAt(slot).name, ...claim })),
})

/** Whom an instance verified, and which of their claims end soon. */
export function createListInvestors({ clock }: IdentityParts, registers: FindRegister) {
  /** What one registry says of those of the page that are on it; a registry that cannot be read says nothing. */
  async function statesOn(call: IdentityCall, registry: Address, wallets: readonly Address[]) {
    const found = await chainOrNull(registers.find(call, registry))
    if (!found) return []
    const reader = latestReader(found.chain)
    return (await chainOrNull(Promise.all(wallets.map((wallet) => found.register.identity(reader, wallet))))) ?? []
  }

  return async (call: IdentityCall, query: Query) => {
    const { tenant, instance } = call
    const limit = countOf(query.limit, { fallback: 50, most: 200 })
    const now = Math.floor(clock.now().getTime() / 1000)
    const days = query.expiresWithinDays === undefined ? null : Number(query.expiresWithinDays)
    const [recordedAt, wallet, registry] = readCursor(query.cursor, CURSOR) ?? []
    const rows = await tenant.read((sql) =>
      listInvestors(sql, {
        instanceId: tenant.instanceId,
        chainId: instance.chainId,
        // Nothing in it is a sign of a pattern.
        words: query.q?.replace(/[%_\\]/g, '\\$&') ?? null,
        endsBetween: days === null ? null : [now, now + days * DAY],
        after: recordedAt && wallet && registry ? { recordedAt, wallet, registry } : null,
        limit: limit + 1,
      }),
    )
    const page = rows.slice(0, limit)
    const states = new Map<InvestorRow, IdentityState | null>()
    for (const one of new Set(page.map((row) => row.registry))) {
      const there = page.filter((row) => row.registry === one)
      const told = await statesOn(
        call,
        one,
        there.map((row) => row.wallet),
      )
      for (const [at, row] of there.entries()) states.set(row, told[at] ?? null)
    }
    const last = page.at(-1)
    const data = {
      investors: page.map((row) => shownRow(row, states.get(row) ?? null)),
      nextCursor:
        rows.length > limit && last ? asCursor([last.recordedAt.toISOString(), last.wallet, last.registry]) : null,
    }
    return { data }
  }
}

export type ListInvestors = ReturnType<typeof createListInvestors>
