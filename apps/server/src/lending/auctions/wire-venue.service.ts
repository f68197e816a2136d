import type { Address } from 'viem'
import { AppError } from '../../platform/app-error.ts'
import { parseAddress } from '../../platform/chain/address.ts'
import { ChainUnavailableError } from '../../platform/chain/rpc.ts'
import type { SignerBlock } from '../core/index.rules.ts'
import { type DeployedRecord, endpointAt, type MarketCall } from '../core/index.ts'
import type { LendingParts } from '../parts.ts'
import { explainLending } from '../reverts/index.ts'
import { admissionOf, admissionTasks, type SetupTask } from '../setup/index.rules.ts'
import { callFor } from '../setup/index.ts'
import { requireAuctions } from './create-venue.service.ts'
import { authorizeSourceCall, setAuctionModuleCall } from './venue-calls.ts'
import { createReadWiring } from './wiring.service.ts'

const reserveNote =
  'The market draws the fund by itself when an auction ends short; a venue that the fund lists gains nothing by it.'
const afterWiring =
  'Turn auctions on with useDutchAuction in the configuration; while they are off, seized collateral goes to the router.'

type Built = Awaited<ReturnType<LendingParts['writes']['build']>>

function shownStep<K extends string>(key: K, description: string, built: Built, signer: SignerBlock) {
  const { transaction, simulation } = built
  return { key, ...transaction, description, ...signer, simulation }
}

const tokenSigner = ({ requiredRole, heldByThisInstance, signer }: SetupTask): SignerBlock => ({
  requiredRole,
  requiredSigner: null,
  heldByThisInstance,
  signerAddress: heldByThisInstance ? signer : null,
  note: heldByThisInstance ? null : 'Whoever administers the collateral token signs this.',
})

/** What is missing before a venue that stands on chain can sell for a market. */
export function createWireVenue(parts: LendingParts) {
  const { chains, writes } = parts
  const readWiring = createReadWiring(parts)

  /** At most one call of the collateral token or its register. */
  async function tokenStep({ market }: DeployedRecord, task: SetupTask | undefined, venue: Address) {
    const { action, target } = task ?? {}
    if (!task || task.done || task.refusal || !target) return []
    if (action !== 'verifyVenueAsHolder' && action !== 'authorizeVenueOnToken') return []
    const pair = callFor(action, task.isRegistered)
    const intent = { chain: chains.get(market.chainId), pair, target, kind: 'configured' }
    const built = await writes.build(intent, { subject: venue }, task.signer, explainLending)
    return [shownStep(action, 'Lets the venue hold the collateral.', built, tokenSigner(task))]
  }

  return async function wire(call: MarketCall, record: DeployedRecord, text: string) {
    const venue = parseAddress(text)
    if (!venue) throw new AppError('INVALID_MODULE_ADDRESS')
    const { market, wallets, marketId } = record
    const chain = chains.get(market.chainId)
    const read = await readWiring(record, venue)
    const { onRouter, onFund, token, marketAdmin, routerAdmin, admin } = read
    const wired = requireAuctions(record, read.wired)
    if (!read.isVenue) throw new AppError('MODULE_MARKET_MISMATCH')
    if (!onRouter?.ok || !token.venue) throw new ChainUnavailableError('the router did not answer')

    async function setModule(newModule: Address) {
      const intent = { chain, pair: setAuctionModuleCall, target: market.address, kind: 'market' }
      const signer = marketAdmin.signerAddress ?? admin
      const built = await writes.build(intent, { newModule }, signer, explainLending)
      const description = 'Lets the market seize into the venue. Refused while an auction of the old one is open.'
      return [shownStep('setAuctionModule' as const, description, built, marketAdmin)]
    }
    async function authorizeOnRouter(source: Address) {
      const intent = { chain, pair: authorizeSourceCall, target: market.router, kind: 'router' }
      const signer = routerAdmin.signerAddress ?? admin
      const built = await writes.build(intent, { source, isAuthorized_: true }, signer, explainLending)
      const description = 'Lets the router take over what an auction could not sell.'
      return [shownStep('authorizeModuleOnRouter' as const, description, built, routerAdmin)]
    }
    const [task] = admissionTasks({ market, token, wallets }, 'Venue', venue, token.venue)
    const steps = [
      ...(wired.venue === venue ? [] : await setModule(venue)),
      ...(onRouter.value ? [] : await authorizeOnRouter(venue)),
      ...(await tokenStep(record, task, venue)),
    ]
    const { admitted, requirement, registry } = admissionOf(token, token.venue)
    const data = {
      action: 'SIGN_TRANSACTIONS' as const,
      functionName: 'wireAuctionModule' as const,
      moduleAddress: venue,
      steps,
      tokenAdmission: {
        admitted,
        requirement,
        identityRegistry: registry,
        blocked: task && !task.done ? task.refusal : null,
      },
      reserve: {
        fundAddress: wired.fund,
        venueAuthorizedOnFund: onFund?.ok && wired.fund === market.insuranceFund ? onFund.value : null,
        venueDrawsReserve: false as const,
        note: reserveNote,
      },
      afterWiring,
      confirmWith: {
        endpoint: endpointAt(call.mountedAt, `/markets/${marketId}/auction-module`),
        field: 'txHash' as const,
        body: { moduleAddress: venue, txHash: null },
      },
    }
    return { data, block: read.block, ...(steps.length > 0 ? { calls: steps } : {}) }
  }
}
