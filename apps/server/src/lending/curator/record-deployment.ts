import type { Address } from 'viem'
import { AppError } from '../../platform/app-error.ts'
import { contractRead } from '../../platform/chain/contract-read.ts'
import { readActiveImport } from '../../tokens/index.ts'
import { abis } from '../contracts.ts'
import { findStockFactory, marketStore } from '../core/index.ts'
import { contractsOf, deployedMarket, deployMarketCall, readDeployment } from '../market/index.ts'
import type { LendingParts } from '../parts.ts'
import { findDeploymentTransaction } from './find-deployment.reads.ts'
import type { QueueRequest } from './queue-request.ts'

interface Where {
  readonly address: Address
  readonly factory: Address
}

/**
 * A market that was deployed elsewhere: its deployment is proven and taken down first, so that its history is whole. No operation asks for
 * it: it is the proof of another transaction inside the one that is being confirmed.
 */
export function createRecordDeployment({ chains, writes }: LendingParts) {
  return async function record({ tenant, instance }: QueueRequest, market: Where): Promise<marketStore.Market> {
    const { address, factory } = market
    const { chainId } = instance
    const chain = chains.get(chainId)
    const stockFactory = await findStockFactory(tenant, chainId)
    const facts = await readDeployment(chain, { factory, stockFactory }, address)
    const { results } = await chain.read([contractRead(factory, abis.factory, 'deployment', [address])])
    const [deployment] = results
    if (!facts || !deployment.ok) throw new AppError('DEPLOYMENT_UNREADABLE')
    const txHash = await findDeploymentTransaction(chain, factory, address, deployment.value.deployedAt)
    if (!txHash) throw new AppError('DEPLOYMENT_UNREADABLE')
    const [token] = await tenant.read((sql) => readActiveImport(sql, tenant.instanceId, facts.collateralToken))
    const intent = { chain, pair: deployMarketCall, target: factory, kind: 'factory' }
    let recorded: marketStore.Market | undefined
    await writes.confirm(tenant, intent, { market: address }, txHash, ({ transaction }) => {
      const found = deployedMarket({ chainId, factory, address, facts, token, transaction })
      recorded = found
      return { concerns: contractsOf(found), asChain: (sql) => marketStore.insertMarket(sql, found) }
    })
    if (!recorded) throw new Error('a proven deployment left no market')
    return recorded
  }
}
