import { type Address, zeroAddress } from 'viem'
import type { Chain } from '../../platform/chain/chain.ts'
import { allValues, contractRead } from '../../platform/chain/contract-read.ts'
import { lowered } from '../../platform/values/address.rules.ts'
import { abis } from '../contracts.ts'

/** What a new token says of itself; null: it does not answer. */
export async function readDeployedStock(chain: Chain, token: Address, legalOperator: Address) {
  const { results } = await chain.read([
    contractRead(token, abis.stock, 'name', []),
    contractRead(token, abis.stock, 'symbol', []),
    contractRead(token, abis.stock, 'decimals', []),
    contractRead(token, abis.stock, 'metadataURI', []),
    contractRead(token, abis.stock, 'isLegalOperator', [legalOperator]),
  ])
  const values = allValues(results)
  if (!values) return null
  const [name, symbol, decimals, metadataURI, isLegalOperator] = values
  return { name, symbol, decimals, metadataURI: metadataURI || null, isLegalOperator }
}

/** Where the factory will put a token. */
export async function readPrediction(chain: Chain, factory: Address, deployer: Address, salt: `0x${string}`) {
  const { block, results } = await chain.read([
    contractRead(factory, abis.stockFactory, 'predictStock', [deployer, salt]),
  ])
  const [token] = results
  const address = token.ok && token.value !== zeroAddress ? lowered(token.value) : null
  return { block, address }
}
