import type { FastifyInstance } from 'fastify'
import type { Clock } from '../platform/clock.ts'
import type { Database } from '../platform/db/database.ts'
import { sendCacheable } from '../platform/http/cacheable.ts'
import { createDescriptors } from './descriptors.service.ts'
import { PLACE } from './documents.ts'

const JSON_TEXT = 'application/json; charset=utf-8'

/** What wallets ask for, open to everyone: it shows where the contracts of the deployment are, and nothing of any tenant. */
export function mountDescriptors(
  app: FastifyInstance,
  parts: { readonly database: Database; readonly clock: Clock },
): void {
  const descriptors = createDescriptors(parts)
  app.get<{ Params: { name: string } }>(`${PLACE}/:name`, async (request, reply) => {
    const found = await descriptors.find(request.params.name)
    return found ? sendCacheable(request, reply.type(JSON_TEXT), found) : reply.callNotFound()
  })
  app.get<{ Params: { chainId: string; file: string } }>(`${PLACE}/:chainId/:file`, async (request, reply) => {
    const { chainId, file } = request.params
    const [, address] = /^(0x[0-9a-f]{40})\.json$/.exec(file.toLowerCase()) ?? []
    const isChain = /^[1-9]\d{0,14}$/.test(chainId)
    const found = isChain && address ? await descriptors.findMarket(Number(chainId), address) : undefined
    return found ? sendCacheable(request, reply.type(JSON_TEXT), found) : reply.callNotFound()
  })
}
