import { eventually } from '../patience.ts'
import { type DeployedMarket, listRecords } from './deploy-markets.ts'
import { markets, ofMarket, type Stage } from './market-stage.ts'

interface Adoption {
  readonly market: { readonly id: string }
}

/** The lender's record of a market. It is adopted first, with every role, if nobody lends in it yet. */
export async function ensureAdopted(stage: Stage, market: DeployedMarket): Promise<string> {
  if (market.seeksLender) return adopt(stage, market)
  const known = (await listRecords(stage.lender.call)).find((one) => one.marketAddress === market.marketAddress)
  return known?.id ?? reportAdoption(stage, market)
}

/** An earlier start was killed between the adoption and its confirmation. */
async function reportAdoption({ issuer, lender }: Stage, { id, marketAddress }: DeployedMarket): Promise<string> {
  const txHash = await eventually(async () => {
    const { transactions } = await issuer.call<{ transactions: { txType: string; txHash: string }[] }>(
      'GET',
      ofMarket(id, '/transactions'),
    )
    return transactions.find(({ txType }) => txType === 'CURATOR_ACCEPTED')?.txHash
  })
  const path = `${markets}/queued/${marketAddress}/confirm-accept`
  return (await lender.call<Adoption>('POST', path, { txHash })).market.id
}

async function adopt({ lender, act }: Stage, { marketAddress }: DeployedMarket): Promise<string> {
  const { contentHash } = await lender.call<{ contentHash: string }>(
    'GET',
    `${markets}/${marketAddress}/asset-data/bundle`,
  )
  const roles = [
    ...['admin', 'issuer', 'collateralAgent', 'liquidationOperator', 'oracleOwner', 'priceSigner'],
    ...['liquidator', 'saleRecipient'],
  ]
  const body = {
    ...Object.fromEntries(roles.map((role) => [role, lender.account.address])),
    realizationMode: 'ISSUER_REDEMPTION',
    assetDataHash: contentHash,
  }
  const path = `${markets}/queued/${marketAddress}/accept`
  const { market } = await act<Adoption>(lender.call, path, { body, by: lender.account })
  return market.id
}
