import type { BodyOf, stocksOperations } from '@tallystick/wire'
import type { Address, Hex } from 'viem'
import { AppError } from '../../platform/app-error.ts'
import type { Effect } from '../../platform/chain/call-pair.ts'
import type { TenantDatabase } from '../../platform/db/database.ts'
import type { Instance } from '../../platform/http/caller.ts'
import { createTokenImporter } from '../../tokens/index.ts'
import type { ConfirmedEffect } from '../../writes/index.ts'
import type { StocksParts } from '../parts.ts'
import { asAddress, ifGiven, requireFields } from '../request-fields.ts'
import * as store from '../stocks.store.ts'
import { keptWords } from './chain-words.rules.ts'
import { checkTerms } from './deploy-fields.ts'
import { deployStockCall } from './deploy-stock.call.ts'
import { readDeployedStock } from './deployed-stock.reads.ts'
import { requireFactory } from './stock-contracts.service.ts'

type LogBody = BodyOf<typeof stocksOperations.logStockDeployment>
/** What a caller says about a deployment: all of it is checked. */
type Claim = Omit<LogBody, 'deployTxHash'>

/** Proves that the factory made a token, records it for the caller's instance, and imports it. */
export function createConfirmDeployment(parts: StocksParts) {
  const { clock, chains, writes } = parts
  const importer = createTokenImporter(parts)

  async function confirm(tenant: TenantDatabase, instance: Instance, claim: Claim, txHash: Hex) {
    const { chainId } = instance
    const issuerGiven = ifGiven(claim.issuerAddress, (given) => asAddress('issuerAddress', given))
    const operatorGiven = ifGiven(claim.legalOperatorAddress, (given) => asAddress('legalOperatorAddress', given))
    const token = ifGiven(claim.tokenAddress, (given) => asAddress('tokenAddress', given))
    const { factory } = await requireFactory(tenant, chainId)
    checkTerms(claim)
    const chain = chains.get(chainId)
    let shown = {
      tokenAddress: factory,
      name: '',
      symbol: '',
      isin: '',
      instanceId: instance.instanceId,
      imported: false,
    }

    async function alongside({ effect, transaction }: ConfirmedEffect<Effect>) {
      const tokenAddress = String(effect.token) as Address
      const issuerAddress = String(effect.issuer) as Address
      const complianceModule = String(effect.complianceModule) as Address
      const legalOperator = operatorGiven ?? issuerAddress
      const said = await readDeployedStock(chain, tokenAddress, legalOperator)
      if (!said) throw new AppError('CHAIN_UNAVAILABLE')
      const { name, symbol, decimals, metadataURI, isLegalOperator } = said
      refuseAnother({ name: claim.name, symbol: claim.symbol }, { name, symbol })
      if (operatorGiven && !isLegalOperator)
        throw new AppError('TX_NOT_VERIFIED', { detail: `${operatorGiven} is not the legal operator of the token.` })
      const stock = {
        ...{ chainId, tokenAddress, factory, decimals },
        ...{ name: keptWords(name, 100), symbol: keptWords(symbol, 100), isin: keptWords(String(effect.isin), 100) },
        ...{
          metadataURI: metadataURI && keptWords(metadataURI, 1024),
          issuerAddress,
          complianceModule,
          deployTx: transaction.hash,
        },
        legalOperatorAddress: isLegalOperator ? legalOperator : null,
      }
      const toImport = await importer.prepare(instance, tokenAddress)
      const fromBlock = transaction.block.number
      return {
        concerns: [
          { address: tokenAddress, kind: 'stock', fromBlock },
          { address: complianceModule, kind: 'stockCompliance', fromBlock },
        ],
        asTenant: async (sql: Parameters<typeof store.insertStock>[0]) => {
          const isNew = await store.insertStock(sql, tenant.instanceId, stock, clock.now())
          // What the instance once revoked stays revoked: only a new record is imported.
          const imported = isNew ? await toImport.run(sql) : await toImport.isActive(sql)
          shown = {
            tokenAddress,
            name: stock.name,
            symbol: stock.symbol,
            isin: stock.isin,
            instanceId: instance.instanceId,
            imported,
          }
        },
      }
    }

    const intent = { chain, pair: deployStockCall, target: factory, kind: 'stockFactory' }
    const expected = { token, issuer: issuerGiven, isin: claim.isin }
    const proof = await writes.confirm(tenant, intent, expected, txHash, alongside)
    const data = {
      transactionHash: proof.transaction.hash,
      ...shown,
      ...(proof.verifiedBy ? { verifiedBy: proof.verifiedBy } : {}),
    }
    return { data, block: proof.transaction.block }
  }

  return {
    confirm,
    log(tenant: TenantDatabase, instance: Instance, body: LogBody) {
      const { deployTxHash } = requireFields(body, 'tokenAddress', 'name', 'symbol', 'isin', 'deployTxHash')
      return confirm(tenant, instance, body, deployTxHash as Hex)
    },
  }
}

function refuseAnother(claimed: Record<string, string | undefined>, said: Record<string, string>): void {
  for (const [field, value] of Object.entries(claimed))
    if (value !== undefined && value !== said[field])
      throw new AppError('TX_NOT_VERIFIED', { detail: `The ${field} of the token is ${said[field]}, not ${value}.` })
}
