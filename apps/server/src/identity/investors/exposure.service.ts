import type { identityOperations, QueryOf } from '@tallystick/wire'
import { formatUnits } from '../../platform/amounts.rules.ts'
import { fieldError } from '../../platform/app-error.ts'
import { requireAddress } from '../../platform/chain/address.ts'
import type { IdentityParts } from '../parts.ts'
import type { IdentityCall } from '../register/index.ts'
import * as store from './exposure.store.ts'

type Query = QueryOf<typeof identityOperations.getExposure>

const MOST = 200

const shownLoan = ({ collateralDecimals, borrowDecimals, ...loan }: store.LoanRow) => ({
  ...loan,
  collateral: formatUnits(BigInt(loan.collateral), collateralDecimals),
  principal: formatUnits(BigInt(loan.principal), borrowDecimals),
})

const shownHolding = ({ decimals, ...holding }: store.HoldingRow) => ({
  ...holding,
  balance: formatUnits(BigInt(holding.balance), decimals),
})

/** What a change upon a wallet or a token would touch, by the record of the instance. */
export function createGetExposure({ clock }: IdentityParts) {
  return async ({ tenant, instance }: IdentityCall, { walletAddress, tokenAddress }: Query) => {
    if (walletAddress === undefined && tokenAddress === undefined)
      throw fieldError('VALIDATION_ERROR', [{ field: 'walletAddress', message: 'or tokenAddress must be given' }])
    const request = {
      ...{ instanceId: tenant.instanceId, chainId: instance.chainId, limit: MOST + 1 },
      wallet: walletAddress === undefined ? null : requireAddress(walletAddress),
      token: tokenAddress === undefined ? null : requireAddress(tokenAddress),
    }
    const [loans, orders, holdings] = await Promise.all([
      tenant.read((sql) => store.listLoans(sql, request)),
      tenant.read((sql) => store.listOrders(sql, request, clock.now())),
      tenant.read((sql) => store.listHoldings(sql, request)),
    ])
    const data = {
      loans: loans.slice(0, MOST).map(shownLoan),
      orders: orders.slice(0, MOST),
      holdings: holdings.slice(0, MOST).map(shownHolding),
      truncated: [loans, orders, holdings].some(({ length }) => length > MOST),
    }
    return { data }
  }
}

export type GetExposure = ReturnType<typeof createGetExposure>
