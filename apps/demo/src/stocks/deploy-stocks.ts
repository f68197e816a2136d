import { stockFactoryAbi } from '@tallystick/abi'
import { type Address, encodeFunctionData, type Hex, keccak256, stringToHex } from 'viem'
import type { DemoCall } from '../demo-signing.ts'
import { eventually } from '../patience.ts'
import { type StockPlan, stockPlans } from './stock-plan.ts'
import { addressOf, type StocksStage } from './stocks-stage.ts'

export interface DemoStock {
  readonly plan: StockPlan
  readonly token: Address
  readonly isDeployed: boolean
  readonly isRecorded: boolean
}

const factoryOf = ({ world }: StocksStage) => world.contracts.StockFactory as Address
const saltOf = ({ symbol }: StockPlan): Hex => keccak256(stringToHex(`demo ${symbol}`))

/** Where the stocks of the demo stand, or will stand, and what is known of them. */
export async function findStocks(stage: StocksStage): Promise<DemoStock[]> {
  const { client, call } = stage
  // A chain that came back without our stocks is a reorganization: the follower undoes the records, and then they can come again.
  return eventually(async () => {
    const recorded = await call<{ tokenAddress: string }[]>('GET', '/stocks/api/fetch/tokens')
    const stocks = await Promise.all(
      stockPlans.map(async (plan) => {
        const args = [addressOf('issuer'), saltOf(plan)] as const
        const predicted = await client.readContract({
          ...{ address: factoryOf(stage), abi: stockFactoryAbi, functionName: 'predictStock', args },
        })
        const token = predicted.toLowerCase() as Address
        const isDeployed = (await client.getCode({ address: token })) !== undefined
        return { plan, token, isDeployed, isRecorded: recorded.some(({ tokenAddress }) => tokenAddress === token) }
      }),
    )
    return stocks.some(({ isDeployed, isRecorded }) => isRecorded && !isDeployed) ? undefined : stocks
  })
}

/**
 * Straight to the factory and logged after that: what the interface builds goes to an address that depends on the instance too,
 * which is another one in every new world.
 */
function deployment(stage: StocksStage, plan: StockPlan): DemoCall {
  const { name, symbol, isin, metadataURI, decimals, subIssuerCap } = plan
  const terms = {
    ...{ name, symbol, isin, metadataURI, decimals },
    identityRegistry: stage.world.contracts.IdentityRegistry as Address,
    issuer: addressOf('issuer'),
    legalOperator: addressOf('legalOperator'),
    allowSubIssuers: subIssuerCap !== null,
  }
  const args = [terms, 0n, 0n, saltOf(plan)] as const
  const data = encodeFunctionData({ abi: stockFactoryAbi, functionName: 'deployStock', args })
  return { to: factoryOf(stage), data }
}

export const missingDeployments = (stage: StocksStage, stocks: readonly DemoStock[]): DemoCall[] =>
  stocks.filter(({ isDeployed }) => !isDeployed).map(({ plan }) => deployment(stage, plan))

/** Records the stocks for the issuer platform, which imports them as well, and tells about their companies. */
export async function publishStocks(stage: StocksStage, stocks: readonly DemoStock[]): Promise<void> {
  // One by one: lists are in the order of the records.
  for (const stock of stocks) {
    if (!stock.isRecorded) await logDeployment(stage, stock)
    const { token, plan } = stock
    await stage.call('PUT', `/external-tokens/api/${token}/profile`, { profile: plan.profile })
  }
}

async function logDeployment(stage: StocksStage, { plan, token }: DemoStock): Promise<void> {
  const [event] = await stage.client.getContractEvents({
    ...{ address: factoryOf(stage), abi: stockFactoryAbi, eventName: 'StockDeployed', fromBlock: 0n },
    args: { token },
  })
  const { name, symbol, isin } = plan
  await stage.call('POST', '/stocks/api/tokenization/log-deploy', {
    ...{ tokenAddress: token, name, symbol, isin, deployTxHash: event?.transactionHash },
    ...{ issuerAddress: addressOf('issuer'), legalOperatorAddress: addressOf('legalOperator') },
  })
}
