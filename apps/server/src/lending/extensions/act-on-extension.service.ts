import type { Address } from 'viem'
import { AppError, fieldError, refuse as refuseAny } from '../../platform/app-error.ts'
import type { ReadResult } from '../../platform/chain/contract-read.ts'
import { besideTransaction } from '../../platform/chain/unsigned-call.ts'
import { type Market, requireOperator, type SignerBlock } from '../core/index.rules.ts'
import { endpointAt, findDeployedMarket, type MarketCall, roleReads, signerBlock } from '../core/index.ts'
import type { LendingParts } from '../parts.ts'
import { explainLending } from '../reverts/index.ts'
import { applyExtensionCall, cancelExtensionCall, confirmExtensionCall } from './act-on-extension.call.ts'
import { type Action, describeAction, whyNotAct } from './action.rules.ts'
import { extensionReads, loanRead, proposalRead } from './extension.reads.ts'
import { kinds } from './proposal.rules.ts'
import { listRecordedProposals } from './proposals.store.ts'
import { refuse } from './propose-extension.service.ts'

const calls = { confirm: confirmExtensionCall, apply: applyExtensionCall, cancel: cancelExtensionCall }

/** Who may take which step, from the answers about the admin and the issuer role. */
function signerOf(action: Action, wallets: readonly Address[], answers: readonly ReadResult<boolean>[]): SignerBlock {
  const admins = answers.slice(0, wallets.length)
  if (action === 'confirm') return signerBlock('DEFAULT_ADMIN_ROLE', wallets, admins)
  if (action === 'cancel') return signerBlock('ISSUER_OR_ADMIN', [...wallets, ...wallets], answers)
  const [first = null] = wallets
  return {
    requiredRole: null,
    requiredSigner: null,
    heldByThisInstance: first !== null,
    signerAddress: first,
    note: first ? null : 'Your instance has no verified wallet. Any wallet may apply a confirmed batch.',
  }
}

/** What follows a proposal: the admin confirms, anyone applies a batch, either of both roles cancels. */
export function createActOnExtension({ chains, writes }: LendingParts) {
  /** All at one block: when our record did not know which loan a proposal is about, everything is read again with it. */
  async function readAll(market: Market, wallets: readonly Address[], proposalId: bigint, loanId: bigint) {
    const { block, results } = await chains
      .get(market.chainId)
      .read([
        ...extensionReads(market),
        proposalRead(market, proposalId),
        loanRead(market, loanId),
        ...roleReads(market.address, 'DEFAULT_ADMIN_ROLE', wallets),
        ...roleReads(market.address, 'ISSUER_ROLE', wallets),
      ])
    const [terms, operator, proposal, loan, ...roles] = results
    if (!terms.ok || !operator.ok || !proposal.ok) throw new AppError('MARKET_STATE_UNAVAILABLE')
    const values = { terms: terms.value, operator: operator.value, proposal: proposal.value }
    return { block, ...values, loan: loan.ok ? loan.value : null, roles }
  }

  async function readFor(call: MarketCall, market: Market, wallets: readonly Address[], proposalId: bigint) {
    const { chainId, address } = market
    const [known] = await call.tenant.read((sql) => listRecordedProposals(sql, chainId, address, proposalId + 1n, 1))
    const expected = known?.proposalId === proposalId ? BigInt(String(known.proposed.loanId)) : 0n
    const state = await readAll(market, wallets, proposalId, expected)
    const loanId = BigInt(state.proposal.loanId)
    return loanId === expected ? state : readAll(market, wallets, proposalId, loanId)
  }

  return async (
    call: MarketCall,
    path: { marketId: string; proposalId: string; action: Action },
    named: readonly (string | number)[] | undefined,
  ) => {
    const { marketId, action } = path
    if (action === 'apply' && !named)
      throw fieldError('VALIDATION_ERROR', [{ field: 'loanIds', message: 'is required to apply' }])
    if (action !== 'apply' && named)
      throw fieldError('VALIDATION_ERROR', [{ field: 'loanIds', message: `is not a field of ${action}` }])
    const { market, wallets } = await findDeployedMarket(call, marketId)
    const proposalId = BigInt(path.proposalId)
    const { block, terms, operator, proposal, loan, roles } = await readFor(call, market, wallets, proposalId)
    requireOperator(operator, refuseAny)
    const loanIds = (named ?? []).map((one) => BigInt(one))
    const refusal = whyNotAct(action, { terms, proposal, loan, loanIds, chainTime: block.time })
    if (refusal) return refuse(refusal)

    const signer = signerOf(action, wallets, roles)
    const chain = chains.get(market.chainId)
    const intent = { chain, pair: calls[action], target: market.address, kind: 'market' }
    const built = await writes.build(intent, { proposalId, loanIds }, signer.signerAddress, explainLending)
    const endpoint = endpointAt(call.mountedAt, `/markets/${marketId}/extensions/confirm-tx`)
    const data = {
      ...besideTransaction(built),
      ...signer,
      kind: kinds[proposal.kind] ?? 'LOAN',
      proposalId: proposalId.toString(),
      description: describeAction(action, proposalId, proposal),
      confirmWith: { endpoint, field: 'txHash' as const },
    }
    return { data, block, calls: [built.transaction] }
  }
}

export type ActOnExtension = ReturnType<typeof createActOnExtension>
