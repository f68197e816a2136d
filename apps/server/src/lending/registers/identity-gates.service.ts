import type { BodyOf, lendingOperations } from '@tallystick/wire'
import { type Address, type Hex, zeroAddress } from 'viem'
import { AppError } from '../../platform/app-error.ts'
import { probe } from '../../platform/chain/bounded-reader.ts'
import { ChainUnavailableError } from '../../platform/chain/rpc.ts'
import { asShapeB } from '../built.ts'
import { type DeployedRecord, endpointAt, findDeployedMarket, type MarketCall } from '../market/markets.service.ts'
import type { LendingParts } from '../parts.ts'
import { explainLending } from '../reverts/index.ts'
import { roleReads, signerBlock } from '../signer.reads.ts'
import { readOr } from '../unreadable.ts'
import { type Registers, readGates } from './identity-gates.reads.ts'
import { generationOf, shownGates } from './identity-gates.rules.ts'
import { findRegisters } from './identity-gates.store.ts'
import { registerProbe, shapeOf } from './register.rules.ts'
import { setIdentityGatesCall } from './set-identity-gates.call.ts'
import { wishedRegisters } from './wished-registers.ts'

type Body = BodyOf<typeof lendingOperations.setIdentityGates>

const orNull = (address: unknown): Address | null =>
  address === undefined || address === zeroAddress ? null : (String(address) as Address)

/** Which registers decide about borrowers and depositors of a market. */
export function createIdentityGates({ chains, intents }: LendingParts) {
  async function read({ tenant }: MarketCall, { market }: DeployedRecord) {
    const [last] = await tenant.read((sql) => findRegisters(sql, market.chainId, market.address))
    const guess = { borrower: orNull(last?.borrower), provider: orNull(last?.provider) }
    return readGates(chains.get(market.chainId), market, guess)
  }

  async function readNow(call: MarketCall, record: DeployedRecord) {
    const found = await read(call, record)
    if (!found) throw new AppError('IDENTITY_GATES_UNREADABLE')
    return found
  }

  /** A new register that answers nothing would lock everybody out. */
  async function requireAnswers(chainId: number, current: Registers, next: Registers): Promise<void> {
    const fields = (['borrower', 'provider'] as const).filter((one) => next[one] && next[one] !== current[one])
    if (fields.length === 0) return
    const { answers } = await probe(
      chains.get(chainId),
      fields.map((one) => registerProbe(next[one] ?? zeroAddress)),
    )
    const silent = fields.find((_, index) => !shapeOf(answers[index]).usable)
    if (silent)
      throw new AppError('IDENTITY_REGISTRY_INCOMPATIBLE', { extra: { details: { field: `${silent}Registry` } } })
  }

  async function buildFor(call: MarketCall, record: DeployedRecord, body: Body) {
    const { market, marketId, wallets } = record
    const chain = chains.get(market.chainId)
    const { block, gates } = await readNow(call, record)
    if (gates.curator === null) throw new AppError('MARKET_PENDING_CURATOR')
    if (generationOf(gates.version) === 'SINGLE_REGISTER') throw new AppError('MARKET_UPGRADE_REQUIRED')
    const wish = wishedRegisters(body, gates)
    const { borrower, provider } = wish
    if (market.priceSource === 'MARKET' && borrower === null)
      throw new AppError('IDENTITY_REGISTRY_REQUIRED', { extra: { details: { field: 'borrowerRegistry' } } })
    if (borrower === gates.borrower && provider === gates.provider) throw new AppError('IDENTITY_GATES_UNCHANGED')
    await requireAnswers(market.chainId, gates, wish)
    const { results } = await chain.read(roleReads(market.address, 'DEFAULT_ADMIN_ROLE', wallets))
    const signing = signerBlock('DEFAULT_ADMIN_ROLE', wallets, results)
    const intent = { chain, pair: setIdentityGatesCall, target: market.address, kind: 'market' }
    const built = await intents.build(intent, wish, signing.signerAddress, explainLending)
    const data = {
      ...asShapeB(built),
      borrowerRegistry: borrower,
      providerRegistry: provider,
      unchanged: false as const,
      ...signing,
      confirmWith: {
        endpoint: endpointAt(call.mountedAt, `/markets/${marketId}/identity-gates`),
        field: 'txHash' as const,
        body: { txHash: null },
      },
    }
    return { data, block, calls: [built.transaction] }
  }

  return {
    async get(call: MarketCall, marketId: string) {
      const record = await findDeployedMarket(call, marketId)
      const { block, gates } = await readNow(call, record)
      return { data: shownGates(record.market.address, record.market.priceSource, gates), block }
    },

    async build(call: MarketCall, marketId: string, body: Body) {
      const record = await findDeployedMarket(call, marketId)
      return readOr('IDENTITY_GATES_UNREADABLE', buildFor(call, record, body))
    },

    async confirm(call: MarketCall, marketId: string, txHash: string) {
      const record = await findDeployedMarket(call, marketId)
      const { address, chainId, priceSource } = record.market
      const intent = { chain: chains.get(chainId), pair: setIdentityGatesCall, target: address, kind: 'market' }
      const { effect, transaction, verifiedBy } = await intents.confirm(call.tenant, intent, {}, txHash as Hex)
      const found = await read(call, record).catch((error: unknown) => {
        if (error instanceof ChainUnavailableError) return null
        throw error
      })
      const data = {
        txHash: transaction.hash,
        ...(verifiedBy ? { verifiedBy } : {}),
        signedBy: transaction.from,
        borrowerRegistry: orNull(effect.borrowerRegistry),
        providerRegistry: orNull(effect.providerRegistry),
        gates: found ? shownGates(address, priceSource, found.gates) : null,
      }
      return { data, block: transaction.block }
    },
  }
}

export type IdentityGates = ReturnType<typeof createIdentityGates>
