import { toHex } from 'viem'
import { AppError } from '../../platform/app-error.ts'
import type { TenantDatabase } from '../../platform/db/database.ts'
import type { Instance } from '../../platform/http/caller.ts'
import { relayed, unsigned } from '../built.ts'
import type { StocksParts } from '../parts.ts'
import { explainStocks } from '../reverts.ts'
import { type DeployBody, deployRequest } from './deploy-fields.ts'
import { deployStockCall } from './deploy-stock.call.ts'
import { readPrediction } from './deployed-stock.reads.ts'
import { saltOf } from './salt.rules.ts'
import { requireFactory } from './stock-contracts.service.ts'

interface DeployRequest {
  readonly tenant: TenantDatabase
  readonly instance: Instance
  /** Where the confirmation goes. */
  readonly endpoint: string
}

/** The one transaction that makes a token, to be signed or sent by the relayer. */
export function createBuildDeployment({ random, chains, writes, relayer }: StocksParts) {
  return async function build({ tenant, instance, endpoint }: DeployRequest, body: DeployBody) {
    const { chainId } = instance
    const contracts = await requireFactory(tenant, chainId)
    const { factory } = contracts
    const request = deployRequest(body, contracts.identityRegistry)
    const { identityRegistry } = request
    if (!identityRegistry)
      throw new AppError('STOCKS_NOT_CONFIGURED', {
        detail: 'This deployment has no identity registry of its own. Name one in identityRegistryAddress.',
      })
    const { name, symbol, isin } = request.terms
    const chosen = request.chosenSalt ?? toHex(random(32))
    const salt = saltOf({ instanceId: instance.instanceId, isin, name, symbol, chosen })
    const chain = chains.get(chainId)
    const relayerAddress = body.useRelayer ? await relayer.addressOf(tenant, chainId) : null
    const deployer = relayerAddress ?? request.deployer
    const { block, address: tokenAddress } = await readPrediction(chain, factory, deployer, salt)
    if (!tokenAddress) throw new AppError('CHAIN_UNAVAILABLE')
    const { maxHolding, minHolding } = request
    const args = { terms: { ...request.terms, identityRegistry }, maxHolding, minHolding, salt }
    const intent = { chain, pair: deployStockCall, target: factory, kind: 'stockFactory' }
    const built = await writes.build(intent, args, deployer, explainStocks)
    if (relayerAddress) {
      const transactionHash = await relayed(relayer, tenant, 'deployStock', built)
      return { data: { transactionHash, tokenAddress, name, symbol, isin }, block }
    }
    const data = {
      ...unsigned(built, endpoint),
      requiredRole: null,
      signerAddress: null,
      tokenAddress,
      deployerAddress: deployer,
      factoryAddress: factory,
      identityRegistry,
      salt,
    }
    return { data, block, calls: [built.transaction] }
  }
}
