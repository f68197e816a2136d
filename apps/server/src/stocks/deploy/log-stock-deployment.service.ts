import type { Hex } from 'viem'
import type { TenantDatabase } from '../../platform/db/database.ts'
import type { Instance } from '../../platform/http/caller.ts'
import type { StocksParts } from '../parts.ts'
import { requireFields } from '../records/index.ts'
import {
  checkAddresses,
  deployStockCall,
  expectedDeployment,
  type LogBody,
  type RecordedStock,
  recordDeployed,
  shownStock,
} from './deployment.ts'
import { requireFactory } from './stock-contracts.service.ts'

/** Records a token that was deployed without asking here first: the operation has no leg that builds, so it is no write of the kit. */
export function createLogDeployment(parts: StocksParts) {
  return async function log(tenant: TenantDatabase, instance: Instance, body: LogBody) {
    const { deployTxHash } = requireFields(body, 'tokenAddress', 'name', 'symbol', 'isin', 'deployTxHash')
    checkAddresses(body)
    const { factory } = await requireFactory(tenant, instance.chainId)
    const expected = expectedDeployment(body)
    const chain = parts.chains.get(instance.chainId)
    const intent = { chain, pair: deployStockCall, target: factory, kind: deployStockCall.kind }
    let recorded: RecordedStock | undefined
    const proof = await parts.writes.confirm(tenant, intent, expected, deployTxHash as Hex, async (found) => {
      const along = await recordDeployed({ chain, factory, parts }, { tenant, instance }, found, body)
      recorded = along.seen
      return along.alongside ?? {}
    })
    if (!recorded) throw new Error('a proof that nothing was recorded with')
    const { transaction, verifiedBy } = proof
    const data = {
      transactionHash: transaction.hash,
      ...shownStock(recorded, instance),
      ...(verifiedBy ? { verifiedBy } : {}),
    }
    return { data, block: transaction.block }
  }
}

export type LogDeployment = ReturnType<typeof createLogDeployment>
