import { type Address, decodeFunctionResult, encodeFunctionData, erc20Abi, type Hex, zeroAddress } from 'viem'
import { probe } from '../../platform/chain/bounded-reader.ts'
import type { Chain } from '../../platform/chain/chain.ts'
import { abis } from '../contracts.ts'

const WORD = 32
/** Six words: what the factory keeps per market. */
const RECORD = 6 * WORD

function decimalsOf(data: Hex): number | null {
  try {
    return decodeFunctionResult({ abi: erc20Abi, functionName: 'decimals', data })
  } catch {
    return null
  }
}

/** Is the borrow asset one, and does the factory keep attestations? One bounded round trip: nobody vouches for the asset. */
export async function questionPreview(chain: Chain, factory: Address, borrowAsset: Address) {
  const ask = (functionName: 'balanceOf' | 'decimals') =>
    encodeFunctionData({
      abi: erc20Abi,
      functionName,
      args: functionName === 'balanceOf' ? [zeroAddress] : [],
    } as never)
  const record = encodeFunctionData({ abi: abis.factory, functionName: 'assetData', args: [zeroAddress] })
  const { block, answers } = await probe(chain, [
    { target: borrowAsset, data: ask('balanceOf'), maxReturn: WORD },
    { target: borrowAsset, data: ask('decimals'), maxReturn: WORD },
    { target: factory, data: record, maxReturn: RECORD },
  ])
  const [balance, decimals, assetData] = answers
  return {
    block,
    hasCode: (balance?.codeSize ?? 0n) > 0n,
    isErc20: balance?.outcome === 'OK' && balance.data.length === 2 + 2 * WORD,
    decimals: decimals?.outcome === 'OK' ? decimalsOf(decimals.data) : null,
    factorySupport: assetData?.outcome === 'OK',
  }
}
