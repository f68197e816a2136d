import { signedOrderSettlementAbi } from '@tallystick/abi'
import { encodeFunctionData, type Hex } from 'viem'
import { AppError, fieldError } from '../../platform/app-error.ts'
import { requireAddressField } from '../../platform/chain/address.ts'
import { presentCall } from '../../platform/chain/unsigned-call.ts'
import type { TenantDatabase } from '../../platform/db/database.ts'
import { isUuid } from '../../platform/ids.ts'
import type { BookClass } from '../books/index.rules.ts'
import type { TradingParts } from '../parts.ts'
import { createInquiry } from './inquiry.ts'
import type { OnchainBook } from './onchain-book.ts'
import { nonceFloorRead } from './order-state.ts'
import { requireNonce } from './order-terms.ts'
import { explainSettlement } from './refusals.ts'
import type { SignedRows } from './signed-rows.ts'
import * as store from './user-orders.store.ts'

/** Both custody contracts take these calls in the same words. */
const abi = signedOrderSettlementAbi

export interface EndOnChainParts extends Pick<TradingParts, 'clock' | 'chains'> {
  readonly rows: SignedRows
}

/** Calls with which a trader ends signed orders for good, so that no operator can settle them. Nothing to confirm: the chain is looked at. */
export function createEndOnChainService({ clock, chains, rows }: EndOnChainParts) {
  const options = { clock, explain: explainSettlement }

  return {
    async cancelOrders(
      tenant: TenantDatabase,
      chainId: number,
      bookClass: BookClass,
      { userAddress, orderIds }: { userAddress: string; orderIds: readonly string[] },
    ) {
      const trader = requireAddressField('userAddress', userAddress)
      const places = await tenant.read((sql) =>
        store.listPlaces(sql, tenant.instanceId, bookClass, trader, orderIds.filter(isUuid)),
      )
      const units = [...new Set(places.map(({ unitId }) => unitId))]
      const signed = await Promise.all(
        units.map((unitId) =>
          rows.ofOrders(
            tenant,
            unitId,
            places.filter((place) => place.unitId === unitId).map(({ orderId }) => orderId),
          ),
        ),
      )
      const found = signed.flatMap((one) => [...one.values()])
      const [first] = found
      if (!first) throw new AppError('ORDER_NOT_FOUND')
      if (found.some(({ custody }) => custody !== first.custody))
        throw fieldError('VALIDATION_ERROR', [
          { field: 'orderIds', message: 'lie with several custody contracts: one transaction can end those of one' },
        ])
      const chain = chains.get(chainId)
      const hashes: Hex[] = found.map(({ hash }) => hash)
      const call = {
        to: first.custody,
        data: encodeFunctionData({ abi, functionName: 'cancelOrders', args: [hashes] }),
        value: 0n,
      }
      const built = await presentCall(chain, { call, functionName: 'cancelOrders' }, trader, options)
      const data = {
        ...built,
        description: `${trader} ends ${found.length} signed order${found.length === 1 ? '' : 's'} for good.`,
        orderIds: found.map(({ orderId }) => orderId),
        orderHashes: hashes,
      }
      return { data, calls: [built.transaction] }
    },

    async raiseNonceFloor(book: OnchainBook, { userAddress, nonceFloor }: { userAddress: string; nonceFloor: string }) {
      const trader = requireAddressField('userAddress', userAddress)
      const wanted = requireNonce(nonceFloor)
      const chain = chains.get(book.chainId)
      const inquiry = createInquiry()
      const floor = inquiry.askOurs(nonceFloorRead(book.custody, trader))
      const block = await inquiry.send(chain)
      if (wanted <= floor())
        throw new AppError('INVALID_ORDER_NONCE', { detail: `The floor of this wallet is ${floor()} already.` })
      const call = {
        to: book.custody,
        data: encodeFunctionData({ abi, functionName: 'raiseNonceFloor', args: [wanted] }),
        value: 0n,
      }
      const built = await presentCall(chain, { call, functionName: 'raiseNonceFloor' }, trader, options)
      const data = {
        ...built,
        description: `${trader} ends all its signed orders with a nonce below ${wanted} for good.`,
        currentFloor: floor().toString(),
      }
      return { data, block, calls: [built.transaction] }
    },
  }
}
