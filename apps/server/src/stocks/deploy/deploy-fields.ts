import type { LegBodyOf, stocksOperations } from '@tallystick/wire'
import type { Address, Hex } from 'viem'
import { fieldError } from '../../platform/app-error.ts'
import { requireUnits } from '../../platform/values/amounts.ts'
import { isIsin, isPublicUri, isStorableText } from '../../tokens/index.ts'
import { asAddress, requireFields } from '../request-fields.ts'

export type DeployBody = LegBodyOf<typeof stocksOperations.deployStock, 'build'>
type Terms = Pick<DeployBody, 'name' | 'symbol' | 'isin' | 'metadataURI'>

const refusals: Record<keyof Terms, { test: (text: string) => boolean; message: string }> = {
  name: { test: isStorableText, message: 'holds control characters or broken Unicode' },
  symbol: { test: isStorableText, message: 'holds control characters or broken Unicode' },
  isin: { test: isIsin, message: 'is not an ISIN: 12 characters with a valid check digit' },
  metadataURI: { test: (text) => text === '' || isPublicUri(text), message: 'must be an https:// or ipfs:// URI' },
}

/** Every word of the terms that cannot stand, at once. */
export function checkTerms(terms: Terms): void {
  const faults = (Object.keys(refusals) as (keyof Terms)[]).flatMap((field) => {
    const text = terms[field]
    return text === undefined || refusals[field].test(text) ? [] : [{ field, message: refusals[field].message }]
  })
  if (faults.length > 0) throw fieldError('VALIDATION_ERROR', faults)
}

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
