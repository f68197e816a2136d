import {
  demoCashAbi,
  demoCashBytecode,
  demoComplianceAbi,
  demoComplianceBytecode,
  demoIdentityRegistryAbi,
  demoIdentityRegistryBytecode,
  demoSecurityAbi,
  demoSecurityBytecode,
} from '@tallystick/abi'
import { type ChainClients, deploy, send, wallet } from '@tallystick/testkit'
import { type Address, type Hex, zeroAddress, zeroHash } from 'viem'
import { abis } from '../../apps/server/src/lending/contracts.ts'
import { call } from './call.ts'
import { startFollowing } from './following.ts'
import type { BenchWorld } from './world.ts'

export const marketsPath = '/lending-external-securities-v2/api/markets'

const owner = wallet(0)

interface Built {
  readonly data: { readonly transaction: { readonly to?: Address; readonly data: Hex } }
}

async function createSecurity(chain: ChainClients): Promise<Address> {
  const of = (abi: readonly unknown[], bytecode: Hex, args: readonly unknown[]) =>
    deploy(chain, { abi, bytecode, args })
  const registry = await of(demoIdentityRegistryAbi, demoIdentityRegistryBytecode, [owner.address])
  const compliance = await of(demoComplianceAbi, demoComplianceBytecode, [owner.address])
  const args = ['Security NORD', 'NORD', 18, registry, compliance, owner.address, owner.address]
  return of(demoSecurityAbi, demoSecurityBytecode, args)
}

/** Signs and sends what a build answered. */
async function sign(chain: ChainClients, { data: { transaction } }: Built) {
  const { to, data } = transaction
  const hash = await chain.walletClient.sendTransaction({ account: owner, data, ...(to ? { to } : {}) })
  const receipt = await chain.publicClient.waitForTransactionReceipt({ hash })
  if (receipt.status !== 'success') throw new Error(`transaction ${hash} reverted`)
  return receipt
}

/** Every role lies with one wallet. */
const adoption = {
  admin: owner.address,
  issuer: owner.address,
  collateralAgent: owner.address,
  saleRecipient: owner.address,
  liquidationOperator: owner.address,
  oracleOwner: owner.address,
  priceSigner: owner.address,
  realizationMode: 2,
  liquidityCommitment: 0n,
  maxFixedRateBps: 0,
  borrowerRegistry: zeroAddress,
  providerRegistry: zeroAddress,
  liquidator: zeroAddress,
  vault: zeroAddress,
  assetDataHash: zeroHash,
}

/** An adopted market with an auction venue, whose events the database knows as if a worker ran. Answers its id. */
export async function createLendingMarket(
  world: Pick<BenchWorld, 'databaseUrl' | 'factory'> & {
    readonly chain: ChainClients
    readonly lender: { readonly apiKey: string }
  },
  product: string,
): Promise<string> {
  const { chain, factory, lender } = world
  const headers = { 'x-api-key': lender.apiKey }
  const ask = <T>(method: 'POST' | 'PUT', path: string, body: unknown) =>
    call<T>(`${product}${path}`, { method, headers, body })
  const following = await startFollowing(world)

  const { address } = owner
  const challenge = await ask<{ data: { nonce: string; message: string } }>('POST', '/access/api/wallets/challenge', {
    address,
  })
  const { nonce, message } = challenge.data
  await ask('POST', '/access/api/wallets', { address, nonce, signature: await owner.signMessage({ message }) })

  const collateralTokenAddress = await createSecurity(chain)
  const cash = { abi: demoCashAbi, bytecode: demoCashBytecode, args: ['Cash USDX', 'USDX', 6, address] }
  const borrowAssetAddress = await deploy(chain, cash)
  await ask('POST', '/external-tokens/api/import', { tokenAddress: collateralTokenAddress, assetType: 'BOND' })
  await ask('PUT', `/external-tokens/api/${collateralTokenAddress}/profile`, {
    profile: { issuerName: 'Nordlicht Windpark GmbH', jurisdiction: 'DE', isin: 'DE000A1EWWW0' },
  })

  const request = {
    collateralTokenAddress,
    borrowAssetAddress,
    initialPrice: '100',
    mode: 'FREEZE',
    candidates: [address],
  }
  const { transactionHash: txHash } = await sign(chain, await ask<Built>('POST', `${marketsPath}/deploy`, request))
  const confirmed = await ask<{ data: { market: { id: string; marketAddress: Address } } }>(
    'POST',
    `${marketsPath}/deploy`,
    { collateralTokenAddress, txHash },
  )
  const { id, marketAddress } = confirmed.data.market

  const adopt = { address: factory, abi: abis.factory, functionName: 'acceptCuratorRole' }
  await send(chain, { ...adopt, args: [marketAddress, adoption, zeroHash], account: owner })
  const created = await sign(chain, await ask<Built>('POST', `${marketsPath}/${id}/auction-module`, {}))
  const wire = { address: marketAddress, abi: abis.market, functionName: 'setAuctionModule' }
  await send(chain, { ...wire, args: [created.contractAddress], account: owner })

  await following.finish()
  return id
}
