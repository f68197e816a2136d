import type { BodyOf, lendingOperations } from '@tallystick/wire'
import { AppError, refuse as refuseAny } from '../../platform/app-error.ts'
import { besideTransaction } from '../../platform/chain/unsigned-call.ts'
import { requireOperator } from '../core/index.rules.ts'
import { endpointAt, findDeployedMarket, type MarketCall, roleReads, signerBlock } from '../core/index.ts'
import type { LendingParts } from '../parts.ts'
import { explainLending } from '../reverts/index.ts'
import { extensionReads, loanRead } from './extension.reads.ts'
import { describeProposal, kinds, type Refusal, requestOf, whyNotPropose } from './proposal.rules.ts'
import { proposeExtensionCall } from './propose-extension.call.ts'
import { findProvision } from './terms-of-use.store.ts'

export const refuse = ({ code, ...options }: Refusal): never => {
  throw new AppError(code, options)
}

/** The issuer's half of an extension: an unsigned proposal that the market would take now. */
export function createProposeExtension({ chains, writes }: LendingParts) {
  return async (call: MarketCall, marketId: string, body: BodyOf<typeof lendingOperations.proposeExtension>) => {
    const request = requestOf(body)
    if ('code' in request) return refuse(request)
    const { market, wallets } = await findDeployedMarket(call, marketId)
    const chain = chains.get(market.chainId)
    const [provision, { block, results }] = await Promise.all([
      call.tenant.read((sql) => findProvision(sql, market.chainId, market.address)),
      chain.read([
        ...extensionReads(market),
        loanRead(market, request.loanId),
        ...roleReads(market.address, 'ISSUER_ROLE', wallets),
      ]),
    ])
    const [terms, operator, loan, ...roles] = results
    if (!terms.ok || !operator.ok) throw new AppError('MARKET_STATE_UNAVAILABLE')
    requireOperator(operator.value, refuseAny)
    const situation = { terms: terms.value, loan: loan.ok ? loan.value : null, chainTime: block.time }
    const refusal = whyNotPropose(request, { ...situation, isProvidedFor: provision.length > 0 })
    if (refusal) return refuse(refusal)

    const signer = signerBlock('ISSUER_ROLE', wallets, roles)
    const intent = { chain, pair: proposeExtensionCall, target: market.address, kind: 'market' }
    const args = { ...request, kind: kinds.indexOf(request.kind) }
    const built = await writes.build(intent, args, signer.signerAddress, explainLending)
    const confirmWith = {
      endpoint: endpointAt(call.mountedAt, `/markets/${marketId}/extensions/confirm-tx`),
      field: 'txHash' as const,
    }
    const data = {
      ...besideTransaction(built),
      ...signer,
      kind: request.kind,
      description: describeProposal(request),
      confirmWith,
    }
    return { data, block, calls: [built.transaction] }
  }
}

export type ProposeExtension = ReturnType<typeof createProposeExtension>
