import { lendingOperations } from '@tallystick/wire'
import { contractRead } from '../../platform/chain/contract-read.ts'
import { candidate } from '../../writes/index.ts'
import { abis } from '../contracts.ts'
import { isServedAt } from '../core/index.ts'
import { storedMarket } from '../market/index.rules.ts'
import { acceptCuratorRoleCall } from './adoption-calls.ts'
import { acknowledgedIn, operatorIn } from './adoption-receipt.ts'
import { realizationName } from './factory-entry.rules.ts'
import { queuedConfirmation } from './queued-write.ts'

/** Proves an adoption and records the market on the instance that made it. */
export const confirmAcceptance = queuedConfirmation(lendingOperations.confirmAcceptance, {
  async evidence({ instance, chain, address, factory, known, mountedAt, refuse }) {
    if (!instance.lenderApproved) throw refuse('CURATOR_NOT_APPROVED')
    const { results } = await chain.read([contractRead(factory, abis.factory, 'isMarket', [address])])
    const [isMarket] = results
    if ((isMarket.ok && !isMarket.value) || !isServedAt(mountedAt, { market: known ?? null }))
      throw refuse('MARKET_NOT_V2')
    return {
      target: factory,
      kind: acceptCuratorRoleCall.kind,
      candidates: [candidate(acceptCuratorRoleCall, { market: address })],
    }
  },

  async along({ effect }, request) {
    if (!request.wallets.includes(effect.curator)) throw request.refuse('ACCEPT_NOT_INSTANCE_BOUND')
    return request.adoptions.adopted(request, request)
  },

  async proven({ effect: { curator }, transaction }, request, after) {
    const { address, factory } = request
    const record = await request.adoptions.record(request, address)
    const { deployment, saleRecipient, collateralAgent, handover, router } = after
    return {
      market: {
        ...storedMarket(record),
        seekingCurator: false,
        curator,
        realizationMode: realizationName(deployment.realizationMode),
        liquidityCommitment: deployment.liquidityCommitment.toString(),
        saleRecipient,
        collateralAgent,
        liquidationOperator: operatorIn(transaction, router),
        operatorShare: '800' as const,
        curatorAcceptedAt: new Date(transaction.block.time * 1000).toISOString(),
        curatorAcceptTxHash: transaction.hash,
        curatorImported: record.origin === 'ADOPTED',
      },
      curator,
      handover,
      assetData: acknowledgedIn(transaction, factory, address),
    }
  },
})
