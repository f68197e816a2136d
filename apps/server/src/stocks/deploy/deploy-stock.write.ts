import { stocksOperations } from '@tallystick/wire'
import { toHex } from 'viem'
import { AppError } from '../../platform/app-error.ts'
import type { TwoLegged } from '../../platform/http/legs.ts'
import { writesOf } from '../../writes/index.ts'
import type { StocksParts } from '../parts.ts'
import { refuseRelayer } from '../records/index.ts'
import { explainStocks } from '../reverts.ts'
import { relayed, unsigned } from '../writes/index.ts'
import { deployRequest } from './deploy-fields.ts'
import { readPrediction } from './deployed-stock.reads.ts'
import {
  checkAddresses,
  type Deploying,
  deployStockCall,
  expectedDeployment,
  recordDeployed,
  shownStock,
} from './deployment.ts'
import { saltOf } from './salt.rules.ts'
import { requireFactory, type StockContracts } from './stock-contracts.service.ts'

const { of } = writesOf<TwoLegged, StocksParts, Deploying & StockContracts>({
  async find(parts, { tenant, caller }) {
    const { chainId } = caller.instance
    const contracts = await requireFactory(tenant, chainId)
    return { ...contracts, chain: parts.chains.get(chainId), parts }
  },
  targets: { stockFactory: ({ factory }) => factory },
  explain: explainStocks,
  hashField: 'transactionHash',
})

/** The one transaction that makes a token, to be signed or sent by the relayer. */
export const deployStock = of(stocksOperations.deployStock, {
  call: deployStockCall,

  precheck(body) {
    if (!('txHash' in body)) return
    refuseRelayer(body)
    checkAddresses(body)
  },

  async build({ chain, factory, parts: { random, relayer }, tenant, caller, mountedAt, body, attempt, ...found }) {
    const { identityRegistry, ...request } = deployRequest(body, found.identityRegistry)
    if (!identityRegistry)
      throw new AppError('STOCKS_NOT_CONFIGURED', {
        detail: 'This deployment has no identity registry of its own. Name one in identityRegistryAddress.',
      })
    const { terms, maxHolding, minHolding } = request
    const { name, symbol, isin } = terms
    const { instanceId } = caller.instance
    const salt = saltOf({ instanceId, isin, name, symbol, chosen: request.chosenSalt ?? toHex(random(32)) })
    const relayerAddress = body.useRelayer ? await relayer.addressOf(tenant, chain.chainId) : null
    const deployer = relayerAddress ?? request.deployer
    const { block, address: tokenAddress } = await readPrediction(chain, factory, deployer, salt)
    if (!tokenAddress) throw new AppError('CHAIN_UNAVAILABLE')
    const built = await attempt({ terms: { ...terms, identityRegistry }, maxHolding, minHolding, salt }, deployer)
    if (relayerAddress) {
      const transactionHash = await relayed(relayer, tenant, stocksOperations.deployStock.id, built)
      return { block, whole: { transactionHash, tokenAddress, name, symbol, isin } }
    }
    const whole = {
      ...unsigned(built, mountedAt),
      requiredRole: null,
      signerAddress: null,
      tokenAddress,
      deployerAddress: deployer,
      factoryAddress: factory,
      identityRegistry,
      salt,
    }
    return { block, whole, calls: [built.transaction] }
  },

  expect: ({ body }) => expectedDeployment(body),
  along: (proof, { caller, body, ...request }) =>
    recordDeployed(request, { tenant: request.tenant, instance: caller.instance }, proof, body),
  proven: (_proof, { caller }, stock) => shownStock(stock, caller.instance),
})
