import type { LegBodyOf, stocksOperations } from '@tallystick/wire'
import type { Address, Hex } from 'viem'
import { requireUnits } from '../../platform/values/amounts.ts'
import { asAddress, checkTerms, requireFields } from '../records/index.ts'

export type DeployBody = LegBodyOf<typeof stocksOperations.deployStock, 'build'>
/** What is to be deployed, by whom, and the addresses in it. */
export function deployRequest(body: DeployBody, ownRegistry: Address | null) {
  const given = requireFields(body, 'name', 'symbol', 'isin', 'issuerAddress')
  checkTerms(body)
  const issuer = asAddress('issuerAddress', given.issuerAddress)
  const addressOr = (field: 'deployerAddress' | 'legalOperatorAddress', fallback: Address) => {
    const text = body[field]
    return text === undefined ? fallback : asAddress(field, text)
  }
  const decimals = body.decimals ?? 18
  return {
    deployer: addressOr('deployerAddress', issuer),
    identityRegistry:
      body.identityRegistryAddress === undefined
        ? ownRegistry
        : asAddress('identityRegistryAddress', body.identityRegistryAddress),
    terms: {
      name: given.name,
      symbol: given.symbol,
      isin: given.isin,
      metadataURI: body.metadataURI ?? '',
      decimals,
      issuer,
      legalOperator: addressOr('legalOperatorAddress', issuer),
      allowSubIssuers: body.allowSubIssuers ?? false,
    },
    maxHolding: requireUnits('maxHolding', body.maxHolding ?? '0', decimals),
    minHolding: requireUnits('minHolding', body.minHolding ?? '0', decimals),
    chosenSalt: body.salt as Hex | undefined,
  }
}
