import type { LegDataOf } from '@tallystick/wire'
import type { Address, Hex } from 'viem'
import type { Alongside, ConfirmedEffect } from '../../intents/index.ts'
import { formatUnits } from '../../platform/amounts.rules.ts'
import { AppError } from '../../platform/app-error.ts'
import type { Block } from '../../platform/chain/block.ts'
import type { Chain } from '../../platform/chain/chain.ts'
import type { TypedCall } from '../../platform/chain/typed-call.ts'
import { presentCall } from '../../platform/chain/unsigned-call.ts'
import { type LegCall, legsRoute, type TwoLegged } from '../../platform/http/legs.ts'
import type { Route } from '../../platform/http/route.ts'
import { asShapeB } from '../built.ts'
import type { Market } from '../market/market.store.ts'
import { type DeployedRecord, findDeployedMarket } from '../market/markets.service.ts'
import type { LendingParts } from '../parts.ts'
import { explainLending } from '../reverts/index.ts'
import { buildSteps, type PlannedStep } from '../steps.ts'

/** An operation on the market that its path names. */
interface MarketOperation extends TwoLegged {
  readonly params: NonNullable<TwoLegged['params']>
}

type Leg = 'build' | 'confirm'

/** A request about a market, with what every write needs to know of it. */
type MarketRequest<O extends TwoLegged, L extends Leg> = Pick<
  LegCall<O, L>,
  'body' | 'refuse' | 'tenant' | 'mountedAt'
> & {
  readonly marketId: string
  readonly record: DeployedRecord
  readonly market: Market
  readonly chain: Chain
  /** Amounts of the borrow asset and of the collateral token, as answers show them. */
  readonly cash: (raw: bigint) => string
  readonly tokens: (raw: bigint) => string
}

/** One call to sign, and what would happen if it were sent now. */
type BuiltCall = Awaited<ReturnType<typeof presentCall>>

/** A build can also try its call beforehand: what would happen may decide who has to sign. */
type BuildRequest<O extends TwoLegged, Args> = MarketRequest<O, 'build'> & {
  readonly attempt: (args: Args, signer: Address | null) => Promise<BuiltCall>
}

/** What the kit itself says in the answer to a build: of several transactions, or of one. */
type ShownByKit<Data> =
  | 'confirmWith'
  | 'action'
  | 'simulation'
  | ('steps' extends keyof Data ? ShownOfSteps : ShownOfOne)
type ShownOfSteps = 'steps' | 'confirmStepIndex'
type ShownOfOne = 'transaction' | 'to' | 'data' | 'value' | 'chainId' | 'functionName'

interface DecidedAlways<O extends TwoLegged> {
  /** The block that everything was read at. */
  readonly block: Block
  /** Who the call is simulated from; null: anybody. */
  readonly signer: Address | null
  /** Where the call was tried already. */
  readonly built?: BuiltCall
  /** Where other transactions come before it or after it: those, and what the call itself is for. */
  readonly steps?: {
    readonly before: readonly PlannedStep[]
    readonly after?: readonly PlannedStep[]
    readonly description: string
  }
  /** Sent back with the hash, beside `txHash`; absent: the hash alone will do. */
  readonly confirmWith?: object
  /** What is still on its way is waited for while the call is simulated. */
  readonly answer: BuildAnswer<O> | Promise<BuildAnswer<O>>
}

type BuildAnswer<O extends TwoLegged> = Omit<LegDataOf<O, 'build'>, ShownByKit<LegDataOf<O, 'build'>>>

/** What to sign, and what is said about it: the call of the write, or another one that leaves the same event. */
type Decided<O extends TwoLegged, Args> = DecidedAlways<O> &
  (
    | { readonly args: Args; readonly instead?: never }
    | { readonly instead: Pick<PlannedStep, 'call' | 'functionName'>; readonly args?: never }
  )

/** What is read or written along with a proof, before anything is recorded: where it fails, the confirmation leaves no trace. */
export interface Along<Seen> {
  readonly seen: Seen
  /** What the answer is dated by, where that is not the block of the receipt. */
  readonly block?: Block
  readonly alongside?: Alongside
}

interface MarketWrite<O extends TwoLegged, Args, Fields extends object, Seen> {
  readonly call: TypedCall<Args, Fields>
  /** Another function that leaves the same event, and is proven by it as well. */
  readonly orCall?: TypedCall<never, NoInfer<Fields>>
  /** Where the transaction stands in the answer: whole, or its fields beside it. */
  readonly shape?: 'whole' | 'flat'
  /** Reads, refuses, and says what to sign. What the chain would refuse beyond that, the simulation tells. */
  build(request: BuildRequest<O, Args>): Promise<Decided<O, Args>>
  /** What the event must say. */
  expect(request: MarketRequest<O, 'confirm'>): Partial<NoInfer<Fields>>
  along?(proof: ConfirmedEffect<NoInfer<Fields>>, request: MarketRequest<O, 'confirm'>): Promise<Along<Seen>>
  /** The answer to a confirmation, from the receipt and what was seen along with it. */
  proven(
    proof: ConfirmedEffect<NoInfer<Fields>>,
    request: MarketRequest<O, 'confirm'>,
    seen: NoInfer<Seen>,
  ): Omit<LegDataOf<O, 'confirm'>, 'txHash' | 'verifiedBy'>
}

/** Where a call of each kind goes. Another kind has no place here: it would be sent to the market, which does not know it. */
const targets: Readonly<Record<string, (market: Market) => Address>> = {
  market: ({ address }) => address,
  router: ({ router }) => router,
  rateModel: ({ rateModel }) => rateModel,
  oracle: ({ oracle }) => oracle,
}

/** The route of the request itself, with its parameters filled in: a write is confirmed where it was built. */
const endpointOf = (mountedAt: string, marketId: string) => mountedAt.replace('{marketId}', marketId)

/**
 * A write on a market, as a value: what is called, what decides about it, and what its receipt shows. The rest is alike for all of them
 * and done here: finding the market, simulating, saying where to confirm, proving and recording, and dating the answer by its block.
 */
export function marketWrite<O extends MarketOperation, Args extends object, Fields extends object, Seen = undefined>(
  operation: O,
  write: MarketWrite<O, Args, Fields, Seen>,
) {
  const { call } = write
  const targetOf = targets[call.kind]
  if (!targetOf) throw new Error(`${operation.id}: a market has no ${call.kind} to call`)

  return ({ clock, chains, intents }: LendingParts): Route => {
    async function understood<L extends Leg>(asked: LegCall<O, L>): Promise<MarketRequest<O, L>> {
      const { tenant, mountedAt, body, refuse } = asked
      const { marketId } = asked.params as { marketId: string }
      const record = await findDeployedMarket({ tenant, mountedAt }, marketId)
      const { market } = record
      return {
        ...{ tenant, mountedAt, body, refuse, marketId, record, market },
        chain: chains.get(market.chainId),
        cash: (raw) => formatUnits(raw, market.borrowDecimals),
        tokens: (raw) => formatUnits(raw, market.collateralDecimals),
      }
    }

    const intentAt = (market: Market, chain: Chain) => ({
      ...{ chain, pair: call, target: targetOf(market) },
      kind: call.kind,
    })

    const planned = (market: Market, args: Args) => ({
      call: call.prepare(targetOf(market), args),
      functionName: call.functionName,
    })
    const attempt = ({ market, chain }: MarketRequest<O, 'build'>, args: Args, signer: Address | null) =>
      presentCall(chain, planned(market, args), signer, { clock, explain: explainLending })

    async function toSign({ market, chain }: MarketRequest<O, 'build'>, decided: Decided<O, Args>) {
      const { signer, steps } = decided
      const meant = decided.instead ?? planned(market, decided.args)
      if (!steps) {
        const built = decided.built ?? (await presentCall(chain, meant, signer, { clock, explain: explainLending }))
        return { shown: write.shape === 'flat' ? asShapeB(built) : built, calls: [built.transaction] }
      }
      const { before, after = [], description } = steps
      const { built, calls } = await buildSteps(chain, signer, [...before, { ...meant, description }, ...after], clock)
      return { shown: { ...built, confirmStepIndex: before.length }, calls }
    }

    return legsRoute<O>(operation, {
      async build(asked) {
        const request = await understood(asked)
        const decided = await write.build({ ...request, attempt: (args, signer) => attempt(request, args, signer) })
        const [{ shown, calls }, answer] = await Promise.all([toSign(request, decided), decided.answer])
        const { block, confirmWith } = decided
        const endpoint = endpointOf(request.mountedAt, request.marketId)
        const data = {
          ...shown,
          ...answer,
          confirmWith: {
            ...{ endpoint, field: 'txHash' },
            ...(confirmWith ? { body: { ...confirmWith, txHash: null } } : {}),
          },
        }
        return { data: data as LegDataOf<O, 'build'>, block, calls }
      },

      async confirm(asked) {
        const request = await understood(asked)
        const { txHash } = asked.body as { txHash: Hex }
        const intent = intentAt(request.market, request.chain)
        const expected = write.expect(request)
        let along: Along<Seen> | undefined
        const prove = (pair: Pick<TypedCall<never, Fields>, 'functionName'>) =>
          intents.confirm(
            request.tenant,
            { ...intent, pair: { ...call, ...pair } },
            expected,
            txHash,
            async (found) => {
              along = await write.along?.(found, request)
              return along?.alongside ?? {}
            },
          )
        const { orCall } = write
        const proof = await prove(call).catch((error: unknown) => {
          if (orCall && error instanceof AppError && error.code === 'TX_WRONG_FUNCTION')
            return prove({ functionName: orCall.functionName })
          throw error
        })
        const { transaction, verifiedBy } = proof
        const data = {
          txHash: transaction.hash,
          ...(verifiedBy ? { verifiedBy } : {}),
          // Without `along` there is nothing to see, and `Seen` is undefined.
          ...write.proven(proof, request, along?.seen as Seen),
        }
        return { data: data as LegDataOf<O, 'confirm'>, block: along?.block ?? transaction.block }
      },
    })
  }
}
