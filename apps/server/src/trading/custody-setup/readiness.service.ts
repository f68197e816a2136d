import type { Address } from 'viem'
import { listWallets } from '../../access/index.ts'
import { AppError } from '../../platform/app-error.ts'
import { chainOrNull } from '../../platform/chain/chain-or-null.ts'
import { type ContractRead, contractRead } from '../../platform/chain/contract-read.ts'
import type { TenantDatabase } from '../../platform/db/database.ts'
import { type BookRow, classOf } from '../books/index.rules.ts'
import type { BooksService } from '../books/index.ts'
import { abis } from '../contracts.ts'
import type { TradingParts } from '../parts.ts'
import type { ReadsService } from '../reads/index.ts'
import * as rules from './readiness.rules.ts'
import { shownSecurity } from './security.rules.ts'
import { securityPlace } from './security-place.rules.ts'
import { readSecurityState } from './security-setup.service.ts'
import { readVaultState } from './vault-setup.service.ts'

/** Null: whoever was asked did not answer. */
async function orSilence<T>(reading: Promise<T>): Promise<T | null> {
  try {
    return await chainOrNull(reading)
  } catch (error) {
    if (error instanceof AppError && error.code === 'CHAIN_UNAVAILABLE') return null
    throw error
  }
}

/** Whether trades of a book can settle, by what the chain says now. */
export function createReadiness(parts: TradingParts & { books: BooksService; reads: ReadsService }) {
  const { chains, books, reads } = parts

  async function ofVault(tenant: TenantDatabase, row: BookRow, vault: Address) {
    const chain = chains.get(Number(row.chainId))
    const wallets = (await tenant.read((sql) => listWallets(sql, tenant.instanceId))).map(({ address }) => address)
    const pair = { vault, base: row.tokenAddress, quote: row.quoteTokenAddress }
    const more: Record<string, ContractRead<boolean>> = Object.fromEntries(
      wallets.map((one) => [one, contractRead(vault, abis.tradingVault, 'isOperator', [one])]),
    )
    more.isPaused = contractRead(vault, abis.tradingVault, 'isSettlementPaused', [])
    const found = await orSilence(readVaultState(chain, pair, more))
    if (!found) return { issues: [rules.vaultIssue], operatorOfThisInstance: null }
    const says = (name: string) => found.more[name]?.ok === true && found.more[name].value
    const isPaused = says('isPaused')
    const operator = wallets.find(says)
    return {
      issues: rules.vaultIssues(row, { ...found, isPaused }),
      operatorOfThisInstance: operator ?? null,
    }
  }

  async function ofSecurity(row: BookRow) {
    const { settlementOperator, underlyingIdentifier, baseDecimals, quoteDecimals } = row
    const state = await orSilence(readSecurityState(chains.get(Number(row.chainId)), securityPlace(row)))
    const { isinRaw: _, ...security } = state ? shownSecurity(state) : { isinRaw: '0x' }
    return {
      issues: state ? rules.securityIssues(row, state) : [rules.chainIssue],
      settlementOperator,
      underlyingIdentifier,
      baseDecimals,
      quoteDecimals,
      security: state ? (security as Omit<ReturnType<typeof shownSecurity>, 'isinRaw'>) : null,
      tokenAuthorizationScheme: state?.scheme ?? null,
      custodyIsTokenAgent: state ? state.scheme === 1 : null,
      quoteAssetAuthorized: state?.isQuoteAsset ?? null,
      operatorAuthorized: state?.isOperator ?? null,
    }
  }

  return {
    async get(tenant: TenantDatabase, mountedAt: string, bookId: string) {
      const row = await books.require(tenant, bookId, classOf(mountedAt))
      const { status, settlementMode, tokenType, custodyContract, tokenAddress, quoteTokenAddress } = row
      const shown = { orderBookId: row.bookId, status, settlementMode, tokenType, custodyContract }
      const book = { ...shown, tokenAddress, quoteTokenAddress }
      if (custodyContract === null)
        return { ...book, ready: false, issues: [...rules.statusIssues(row), rules.wrongModeIssue] }
      const [found, sharedPeers] = await Promise.all([
        row.class === 'external-securities' ? ofSecurity(row) : ofVault(tenant, row, custodyContract),
        reads.peers(tenant, row),
      ])
      const issues = [...rules.statusIssues(row), ...found.issues]
      return { ...book, ...found, ready: issues.length === 0, issues, sharedPeers }
    },
  }
}

export type Readiness = ReturnType<typeof createReadiness>
