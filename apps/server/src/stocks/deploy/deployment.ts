import type { BodyOf, stocksOperations } from '@tallystick/wire'
import type { Address } from 'viem'
import { AppError } from '../../platform/app-error.ts'
import type { Chain } from '../../platform/chain/chain.ts'
import { typedCall } from '../../platform/chain/typed-call.ts'
import type { TenantDatabase } from '../../platform/db/database.ts'
import type { Instance } from '../../platform/http/caller.ts'
import { createTokenImporter } from '../../tokens/index.ts'
import type { Along, ConfirmedEffect } from '../../writes/index.ts'
import { abis } from '../contracts.ts'
import type { StocksParts } from '../parts.ts'
import { asAddress, checkTerms, ifGiven, insertStock } from '../records/index.ts'
import { keptWords } from './chain-words.rules.ts'
import { readDeployedStock } from './deployed-stock.reads.ts'

// What proves a deployment and is kept of it. Two operations do it: one built the transaction as well, the other logs one of elsewhere.

export const deployStockCall = typedCall('stockFactory', abis.stockFactory, 'deployStock', 'StockDeployed')

export type LogBody = BodyOf<typeof stocksOperations.logStockDeployment>
/** What a caller says about a deployment: all of it is checked. */
type Claim = Omit<LogBody, 'deployTxHash'>

/** The factory that makes the tokens of this deployment. */
export interface Deploying {
  readonly chain: Chain
  readonly factory: Address
  readonly parts: StocksParts
}

const operatorIn = ({ legalOperatorAddress }: Claim) =>
  ifGiven(legalOperatorAddress, (given) => asAddress('legalOperatorAddress', given))

/** Which deployment is meant; what is undefined is not compared. */
const expectedIn = (claim: Claim) => ({
  issuer: ifGiven(claim.issuerAddress, (given) => asAddress('issuerAddress', given)),
  token: ifGiven(claim.tokenAddress, (given) => asAddress('tokenAddress', given)),
  isin: claim.isin,
})

/** Refuses addresses that are none, before anything is looked up. */
export function checkAddresses(claim: Claim): void {
  expectedIn(claim)
  operatorIn(claim)
}

export function expectedDeployment(claim: Claim) {
  checkTerms(claim)
  return expectedIn(claim)
}

function refuseAnother(claimed: Record<string, string | undefined>, said: Record<string, string>): void {
  for (const [field, value] of Object.entries(claimed))
    if (value !== undefined && value !== said[field])
      throw new AppError('TX_NOT_VERIFIED', { detail: `The ${field} of the token is ${said[field]}, not ${value}.` })
}

type Deployed = ConfirmedEffect<{
  readonly token: Address
  readonly issuer: Address
  readonly complianceModule: Address
  readonly isin: string
}>

/** What an answer shows of a recorded token; whether it was imported is known once it is recorded. */
export interface RecordedStock {
  readonly tokenAddress: Address
  readonly name: string
  readonly symbol: string
  readonly isin: string
  imported(): boolean
}

export const shownStock = ({ imported, ...stock }: RecordedStock, { instanceId }: Instance) => ({
  ...stock,
  instanceId,
  imported: imported(),
})

/** The new token must be what the caller says; it is recorded for the instance and imported, in the transaction of the proof. */
export async function recordDeployed(
  { chain, factory, parts }: Deploying,
  { tenant, instance }: { readonly tenant: TenantDatabase; readonly instance: Instance },
  { effect, transaction }: Deployed,
  claim: Claim,
): Promise<Along<RecordedStock>> {
  const { token: tokenAddress, issuer: issuerAddress, complianceModule } = effect
  const operatorGiven = operatorIn(claim)
  const legalOperator = operatorGiven ?? issuerAddress
  const said = await readDeployedStock(chain, tokenAddress, legalOperator)
  if (!said) throw new AppError('CHAIN_UNAVAILABLE')
  const { name, symbol, decimals, metadataURI, isLegalOperator } = said
  refuseAnother({ name: claim.name, symbol: claim.symbol }, { name, symbol })
  if (operatorGiven && !isLegalOperator)
    throw new AppError('TX_NOT_VERIFIED', { detail: `${operatorGiven} is not the legal operator of the token.` })
  const words = { name: keptWords(name, 100), symbol: keptWords(symbol, 100), isin: keptWords(effect.isin, 100) }
  const stock = {
    ...{ chainId: chain.chainId, tokenAddress, factory, decimals, issuerAddress, complianceModule },
    ...words,
    metadataURI: metadataURI && keptWords(metadataURI, 1024),
    deployTx: transaction.hash,
    legalOperatorAddress: isLegalOperator ? legalOperator : null,
  }
  const toImport = await createTokenImporter(parts).prepare(instance, tokenAddress)
  const fromBlock = transaction.block.number
  let imported = false
  return {
    seen: { tokenAddress, ...words, imported: () => imported },
    alongside: {
      concerns: [
        { address: tokenAddress, kind: 'stock', fromBlock },
        { address: complianceModule, kind: 'stockCompliance', fromBlock },
      ],
      async asTenant(sql) {
        const isNew = await insertStock(sql, tenant.instanceId, stock, parts.clock.now())
        // What the instance once revoked stays revoked: only a new record is imported.
        imported = isNew ? await toImport.run(sql) : await toImport.isActive(sql)
      },
    },
  }
}
