import { type Address, type Hex, zeroAddress } from 'viem'
import { AppError, fieldError } from '../../platform/app-error.ts'
import { parseAddress } from '../../platform/chain/address.ts'
import { contractRead } from '../../platform/chain/contract-read.ts'
import { abis } from '../contracts.ts'
import { type DeployedRecord, endpointAt, findDeployedMarket, type MarketCall } from '../market/markets.service.ts'
import type { LendingParts } from '../parts.ts'
import { explainLending } from '../reverts/index.ts'
import { readOr } from '../unreadable.ts'
import { orNull, realizationName } from './factory-entry.rules.ts'
import { nominateCuratorCall, withdrawNominationCall } from './nominations.call.ts'

interface Body {
  readonly candidate?: string
}

const kinds = {
  nominate: { pair: nominateCuratorCall, path: 'nominations' },
  withdraw: { pair: withdrawNominationCall, path: 'nominations/withdraw' },
} as const

type Kind = keyof typeof kinds

const lower = (address: string) => address.toLowerCase() as Address

function requireCandidate({ candidate }: Body): Address {
  const refuse = (message: string) => fieldError('VALIDATION_ERROR', [{ field: 'candidate', message }])
  if (candidate === undefined) throw refuse('is required')
  const address = parseAddress(candidate)
  if (!address || address === zeroAddress)
    throw refuse('is not an address, has a wrong checksum, or is the zero address')
  return address
}

/** Who may adopt a market without a claim. */
export function createNominations({ chains, intents }: LendingParts) {
  async function readNow({ market }: DeployedRecord) {
    const { factory, address } = market
    const { block, results } = await chains
      .get(market.chainId)
      .read([
        contractRead(factory, abis.factory, 'candidates', [address]),
        contractRead(factory, abis.factory, 'deployment', [address]),
        contractRead(factory, abis.factory, 'owner', []),
      ])
    const [candidates, deployment, owner] = results
    if (!candidates.ok || !deployment.ok || !owner.ok) throw new AppError('FACTORY_READ_FAILED')
    const { curator, deployer, realizationMode } = deployment.value
    return {
      block,
      candidates: candidates.value.map(lower),
      curator: orNull(curator),
      realizationMode: realizationName(realizationMode),
      /** Whom the factory lets nominate. */
      nominators: [lower(deployer), lower(owner.value)],
    }
  }

  async function buildFor(call: MarketCall, record: DeployedRecord, kind: Kind, body: Body) {
    const { market, marketId, wallets } = record
    const candidate = requireCandidate(body)
    if (wallets.length === 0) throw new AppError('WALLET_NOT_CONFIGURED')
    const now = await readNow(record)
    if (now.curator !== null) throw new AppError('NOT_SEEKING_CURATOR')
    const signer = wallets.find((wallet) => now.nominators.includes(wallet))
    if (!signer) throw new AppError('DEPLOYER_NOT_AUTHORIZED')
    const isNominated = now.candidates.includes(candidate)
    if (kind === 'nominate' && isNominated) throw new AppError('ALREADY_NOMINATED')
    if (kind === 'withdraw' && !isNominated) throw new AppError('NOT_NOMINATED')
    const { pair, path } = kinds[kind]
    const intent = { chain: chains.get(market.chainId), pair, target: market.factory, kind: 'factory' }
    const built = await intents.build(intent, { market: market.address, candidate }, signer, explainLending)
    const data = {
      ...built,
      marketAddress: market.address,
      candidate,
      signer,
      confirmWith: {
        endpoint: endpointAt(call.mountedAt, `/markets/${marketId}/${path}`),
        field: 'txHash' as const,
      },
    }
    return { data, block: now.block, calls: [built.transaction] }
  }

  return {
    async list(call: MarketCall, marketId: string) {
      const { block, candidates, curator, realizationMode } = await readNow(await findDeployedMarket(call, marketId))
      return { data: { candidates, curator, seekingCurator: curator === null, realizationMode }, block }
    },

    async build(call: MarketCall, marketId: string, kind: Kind, body: Body) {
      const record = await findDeployedMarket(call, marketId)
      return readOr('FACTORY_READ_FAILED', buildFor(call, record, kind, body))
    },

    async confirm(call: MarketCall, marketId: string, kind: Kind, body: Body & { readonly txHash: string }) {
      const { market } = await findDeployedMarket(call, marketId)
      const candidate = body.candidate === undefined ? undefined : requireCandidate(body)
      const { pair } = kinds[kind]
      const intent = { chain: chains.get(market.chainId), pair, target: market.factory, kind: 'factory' }
      const expected = { market: market.address, candidate }
      const proof = await intents.confirm(call.tenant, intent, expected, body.txHash as Hex)
      const data = {
        txHash: proof.transaction.hash,
        ...(proof.verifiedBy ? { verifiedBy: proof.verifiedBy } : {}),
        signedBy: lower(proof.transaction.from),
        marketAddress: market.address,
        candidate: String(proof.effect.candidate),
      }
      return { data, block: proof.transaction.block }
    },
  }
}

export type Nominations = ReturnType<typeof createNominations>
