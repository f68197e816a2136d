import { type Address, type Hex, zeroAddress } from 'viem'
import { AppError } from '../../platform/app-error.ts'
import { readNamed } from '../../platform/chain/named-reads.ts'
import { ChainUnavailableError } from '../../platform/chain/rpc.ts'
import { type DeployedRecord, endpointAt, findDeployedMarket, type MarketCall } from '../market/markets.service.ts'
import type { LendingParts } from '../parts.ts'
import { explainLending } from '../reverts/index.ts'
import { roleReads, signerBlock } from '../signer.reads.ts'
import { pauseCall, unpauseCall } from './settings.call.ts'
import { pauseReads } from './settings.reads.ts'

const switches = {
  pause: { pair: pauseCall, paused: true, refusal: 'ALREADY_PAUSED' },
  unpause: { pair: unpauseCall, paused: false, refusal: 'NOT_PAUSED' },
} as const

/** The emergency stop of a market: new money stands still, repayment and withdrawal go on. */
export function createPause({ chains, intents }: LendingParts) {
  async function build(call: MarketCall, record: DeployedRecord, name: keyof typeof switches) {
    const { market, wallets, marketId } = record
    const { pair, paused, refusal } = switches[name]
    const chain = chains.get(market.chainId)
    const { block, results } = await readNamed(chain, {
      ...pauseReads(market),
      admins: roleReads(market.address, 'DEFAULT_ADMIN_ROLE', wallets),
    })
    const { isPaused, operator, deployment } = results
    if (!isPaused.ok || !operator.ok) throw new ChainUnavailableError('the market did not answer')
    if (operator.value === zeroAddress) throw new AppError('MARKET_PENDING_CURATOR')
    if (isPaused.value === paused) throw new AppError(refusal)
    const signer = signerBlock('DEFAULT_ADMIN_ROLE', wallets, results.admins)
    const admin: Address | null = signer.signerAddress ?? (deployment.ok ? deployment.value.admin : null)
    const intent = { chain, pair, target: market.address, kind: 'market' }
    const built = await intents.build(intent, {}, admin, explainLending)
    const endpoint = endpointAt(call.mountedAt, `/markets/${marketId}/${name}`)
    const data = { ...built, ...signer, confirmWith: { endpoint, field: 'txHash' as const } }
    return { data, block, calls: [built.transaction] }
  }

  async function confirm<P extends boolean>(
    { tenant }: MarketCall,
    { market }: DeployedRecord,
    { pair, paused }: { readonly pair: typeof pauseCall; readonly paused: P },
    txHash: Hex,
  ) {
    const intent = { chain: chains.get(market.chainId), pair, target: market.address, kind: 'market' }
    const { effect, transaction, verifiedBy } = await intents.confirm(tenant, intent, {}, txHash)
    const { hash, block } = transaction
    // The event names who held the role, also where a Safe made the call.
    const signedBy = String(effect.account)
    return { data: { txHash: hash, ...(verifiedBy ? { verifiedBy } : {}), signedBy, paused }, block }
  }

  return {
    async pause(call: MarketCall, marketId: string, txHash: string | undefined) {
      const record = await findDeployedMarket(call, marketId)
      return txHash === undefined ? build(call, record, 'pause') : confirm(call, record, switches.pause, txHash as Hex)
    },

    async unpause(call: MarketCall, marketId: string, txHash: string | undefined) {
      const record = await findDeployedMarket(call, marketId)
      return txHash === undefined
        ? build(call, record, 'unpause')
        : confirm(call, record, switches.unpause, txHash as Hex)
    },
  }
}

export type Pause = ReturnType<typeof createPause>
