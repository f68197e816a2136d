import type { QueryOf, stocksOperations } from '@tallystick/wire'
import { formatUnits } from '../../platform/amounts.rules.ts'
import { AppError } from '../../platform/app-error.ts'
import type { TenantDatabase } from '../../platform/db/database.ts'
import type { Instance } from '../../platform/http/caller.ts'
import { requireUnits } from '../../platform/values/amounts.ts'
import type { StocksParts } from '../parts.ts'
import { asAddress, listStocks, requireFields, requireStock, shownRecord } from '../records/index.ts'
import * as reads from './stock-state.reads.ts'

type RoleQuery = QueryOf<typeof stocksOperations.checkRole>
type TransferQuery = QueryOf<typeof stocksOperations.canTransferShares>

const restrictionCodes = [
  'SUCCESS',
  'SENDER_NOT_ELIGIBLE',
  'RECEIVER_NOT_ELIGIBLE',
  'SENDER_TOKENS_FROZEN',
  'RECEIVER_TOKENS_FROZEN',
  'COMPLIANCE_REJECTED',
  'PAUSED',
  'INSUFFICIENT_BALANCE',
] as const

/** What stock tokens say of themselves now; every answer is one round trip to the chain. */
export function createFetch({ chains }: StocksParts) {
  return {
    async list(tenant: TenantDatabase) {
      const stocks = await tenant.read((sql) => listStocks(sql, tenant.instanceId))
      return { data: stocks.map((stock) => shownRecord(stock, tenant.instanceId)) }
    },

    async get(tenant: TenantDatabase, tokenAddress: string) {
      const stock = await requireStock(tenant, tokenAddress)
      const { block, state } = await reads.readState(chains.get(stock.chainId), stock.tokenAddress)
      const totalSupply = formatUnits(state.totalSupply, stock.decimals)
      return { data: { ...shownRecord(stock, tenant.instanceId), ...state, totalSupply }, block }
    },

    async role(tenant: TenantDatabase, tokenAddress: string, accountText: string, { role }: RoleQuery) {
      const account = asAddress('account', accountText)
      const stock = await requireStock(tenant, tokenAddress)
      const { block, roles, cap, outstanding } = await reads.readRoles(
        chains.get(stock.chainId),
        stock.tokenAddress,
        account,
      )
      if (role) return { data: { account, role, hasRole: roles[role] }, block }
      const subIssuer = {
        cap: cap === 0n ? null : formatUnits(cap, stock.decimals),
        outstanding: formatUnits(outstanding, stock.decimals),
      }
      return { data: { account, roles, subIssuer }, block }
    },

    async canTransfer(tenant: TenantDatabase, tokenAddress: string, query: TransferQuery) {
      const stock = await requireStock(tenant, tokenAddress)
      const given = requireFields(query, 'from', 'to', 'amount')
      const [from, to] = [asAddress('from', given.from), asAddress('to', given.to)]
      const raw = requireUnits('amount', given.amount, stock.decimals)
      const chain = chains.get(stock.chainId)
      const { block, code, rule, module } = await reads.readCanTransfer(chain, stock.tokenAddress, from, to, raw)
      const named = restrictionCodes[code]
      if (!named) throw new AppError('CHAIN_UNAVAILABLE', { detail: `The token answered the unknown code ${code}.` })
      const data = {
        allowed: code === 0,
        from,
        to,
        amount: formatUnits(raw, stock.decimals),
        code: named,
        rule,
        module,
      }
      return { data, block }
    },

    async balance(tenant: TenantDatabase, tokenAddress: string, accountText: string) {
      const account = asAddress('account', accountText)
      const stock = await requireStock(tenant, tokenAddress)
      const shares = (raw: bigint) => formatUnits(raw, stock.decimals)
      const chain = chains.get(stock.chainId)
      const { block, total, transferable, frozen, walletFrozen } = await reads.readBalance(
        chain,
        stock.tokenAddress,
        account,
      )
      const amounts = { total: shares(total), transferable: shares(transferable), frozen: shares(frozen) }
      return { data: { account, ...amounts, walletFrozen }, block }
    },

    async holdings(tenant: TenantDatabase, instance: Instance, walletText: string) {
      const wallet = asAddress('walletAddress', walletText)
      const stocks = await tenant.read((sql) => listStocks(sql, tenant.instanceId))
      const tokens = stocks.map(({ tokenAddress }) => tokenAddress)
      const { block, balances } = await reads.readHoldings(chains.get(instance.chainId), tokens, wallet)
      const data = stocks.flatMap(({ tokenAddress, name, symbol, decimals }, index) => {
        const raw = balances[index] ?? 0n
        return raw === 0n ? [] : [{ tokenAddress, name, symbol, balance: formatUnits(raw, decimals) }]
      })
      return { data, block }
    },
  }
}

export type Fetch = ReturnType<typeof createFetch>
