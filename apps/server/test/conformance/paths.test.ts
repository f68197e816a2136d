import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createWorld, type World } from '../world.ts'

const V2 = '/lending-external-securities-v2/api'
const V1 = '/lending-external-securities/api'

const promised = [
  'GET /external-tokens/api/list',
  `POST ${V2}/markets/{marketId}/extensions`,
  `POST ${V2}/markets/{marketId}/extensions/confirm-tx`,
  'POST /stocks/api/manage/{tokenAddress}/sub-issuer/remove',
  `POST ${V2}/markets/{market}/asset-data/attest`,
  `POST ${V2}/markets/{market}/asset-data/attest/confirm`,
  `POST ${V2}/markets/{marketId}/infrastructure-fees/sweep`,
  'GET /orderbooks/stocks/api/rfq/{id}',
  `POST ${V1}/liquidations/withdraw-collateral/{liquidationId}`,
  'GET /api/mica/v1/search',
  'GET /orderbooks/commodities/api/order-books/{orderBookId}/trades',
  `GET ${V2}/markets/{marketId}/auction-module`,
  'GET /orderbooks/external-securities/api/order-books/by-token/{tokenAddress}/daily-stats',
  `GET ${V1}/markets/{marketId}/setup-steps`,
  `POST ${V1}/positions/{marketId}/claim-escrowed-collateral`,
  `POST ${V1}/positions/{marketId}/borrow-more`,
  'GET /orderbooks/stocks/api/offchain/order-books',
  `GET ${V1}/liquidations/{marketId}/config`,
  'POST /customers/api/identity/revoke-claim',
  'POST /customers/api/identity/proofs/revoke',
  'GET /lending-stocks/api/positions/{marketId}/price-history',
  `POST ${V2}/markets/{marketId}/upgrade`,
]

describe('what is promised of paths', () => {
  let world: World
  beforeAll(async () => {
    world = await createWorld()
  })
  afterAll(() => world.close())

  it.each(promised)('%s is served, and wants a key', async (promise) => {
    const [method = '', template = ''] = promise.split(' ')
    const path = template.replace(/\{\w+\}/g, '1')
    const asked = method === 'POST' ? { body: {} } : {}
    const answer = await world.call(method, path, asked)
    expect([answer.status, answer.body.error.code]).toEqual([401, 'AUTH_REQUIRED'])
    const elsewhere = await world.call(method, `${path}/no/such/route`, asked)
    expect([elsewhere.status, elsewhere.body.error.code]).toEqual([404, 'ROUTE_NOT_FOUND'])
  })
})
