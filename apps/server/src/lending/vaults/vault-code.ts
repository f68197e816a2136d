import { lendingVaultAbi, lendingVaultBytecode } from '@tallystick/abi'
import { recognize } from '@tallystick/deployer'
import { type Address, encodeDeployData, erc20Abi, type Hex, hexToBigInt, numberToHex, pad } from 'viem'
import type { Chain } from '../../platform/chain/chain.ts'
import { allValues, contractRead } from '../../platform/chain/contract-read.ts'
import type { ExplainRevert } from '../../platform/chain/reverts.ts'
import { ChainUnavailableError, type RpcAnswer } from '../../platform/chain/rpc.ts'
import { lowered } from '../../platform/values/address.rules.ts'

export interface VaultRequest {
  readonly name: string
  readonly symbol: string
  readonly asset: Address
  readonly owner: Address
  readonly factory: Address
  /** Served from the start, with their caps. */
  readonly markets: readonly { readonly market: Address; readonly cap: bigint }[]
}

/** The code that creates a vault. */
export const vaultCreation = ({ name, symbol, asset, owner, factory, markets }: VaultRequest): Hex =>
  encodeDeployData({
    abi: lendingVaultAbi,
    bytecode: lendingVaultBytecode,
    args: [name, symbol, asset, owner, factory, markets],
  })

const isReverted = (answer: RpcAnswer | undefined): boolean =>
  answer?.ok === false && (answer.fault.data !== undefined || /revert/i.test(answer.fault.message))

/** What would happen if the creation were sent now. */
export async function simulateCreation(chain: Chain, from: Address, data: Hex, explain: ExplainRevert) {
  const [answer] = await chain.rpc.batch([{ method: 'eth_estimateGas', params: [{ from, data }] }])
  if (answer?.ok) {
    const gasUsed = hexToBigInt(answer.value as Hex).toString()
    return { simulated: true, success: true, gasUsed, revert: null }
  }
  const revert = isReverted(answer) ? explain((answer?.fault.data as Hex | undefined) ?? '0x') : null
  return { simulated: revert !== null, success: false, gasUsed: null, revert }
}

/** Code of an earlier build, with these three filled in and nothing else. */
function isEarlierVault(code: Hex, asset: Address, factory: Address, decimals: number): boolean {
  const words = [pad(lowered(asset)), pad(factory), numberToHex(decimals, { size: 32 })]
  return recognize('LendingVault', code)?.immutables.every((value) => words.includes(value)) === true
}

/**
 * What stands at an address, if it is a vault of this release: the node runs the constructor there once more, without deploying, and
 * the code has to be the same; or one that an earlier build left, when this release is confirming what that one built. `owner` is whom
 * the creation named. A vault of another factory than ours would take anything for a market.
 */
export async function readCreatedVault(chain: Chain, address: Address, owner: Address, factory: Address) {
  const asked = await chain.read([
    contractRead(address, lendingVaultAbi, 'name', []),
    contractRead(address, lendingVaultAbi, 'symbol', []),
    contractRead(address, lendingVaultAbi, 'asset', []),
    contractRead(address, lendingVaultAbi, 'factory', []),
  ])
  const told = allValues(asked.results)
  if (!told) return null
  const [name, symbol, asset, ofFactory] = told
  if (ofFactory.toLowerCase() !== factory) return null
  // Markets are storage, not code: without them the constructor leaves the same code.
  const code = vaultCreation({ name, symbol, asset, owner, factory, markets: [] })
  const inPlace = { [address]: { code, state: {} } }
  const [ran, stands] = await chain.rpc.batch([
    { method: 'eth_call', params: [{ to: address }, 'latest', inPlace] },
    { method: 'eth_getCode', params: [address, 'latest'] },
  ])
  if (isReverted(ran)) return null
  if (!ran?.ok || !stands?.ok) throw new ChainUnavailableError('the code of a vault could not be compared')
  const { results } = await chain.read([
    contractRead(asset, erc20Abi, 'symbol', []),
    contractRead(address, lendingVaultAbi, 'decimals', []),
    contractRead(asset, erc20Abi, 'decimals', []),
  ])
  const [assetSymbol, assetDecimals, ownDecimals] = results
  if (!assetDecimals.ok) return null
  const isOfThisRelease = ran.value !== '0x' && ran.value === stands.value
  const decimals = ownDecimals.ok ? ownDecimals.value : assetDecimals.value
  if (!isOfThisRelease && !isEarlierVault(stands.value as Hex, asset, factory, decimals)) return null
  return {
    name,
    symbol,
    asset: asset.toLowerCase() as Address,
    assetSymbol: assetSymbol.ok ? assetSymbol.value : '',
    assetDecimals: assetDecimals.value,
  }
}
