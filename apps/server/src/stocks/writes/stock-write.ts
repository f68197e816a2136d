import type { LegBodyOf, LegDataOf } from '@tallystick/wire'
import type { Address } from 'viem'
import { AppError } from '../../platform/app-error.ts'
import type { Chain } from '../../platform/chain/chain.ts'
import { type ContractRead, contractRead } from '../../platform/chain/contract-read.ts'
import type { TypedCall } from '../../platform/chain/typed-call.ts'
import type { PlannedStep } from '../../platform/chain/unsigned-call.ts'
import type { TwoLegged } from '../../platform/http/legs.ts'
import type { Route } from '../../platform/http/route.ts'
import { lowered } from '../../platform/values/address.rules.ts'
import type { RelayerService } from '../../relayer/index.ts'
import { type Asked, type ConfirmedEffect, candidate, type OmitEach, writesOf } from '../../writes/index.ts'
import { abis } from '../contracts.ts'
import type { StocksParts } from '../parts.ts'
import type { EncodedReason, Stock } from '../records/index.rules.ts'
import { keepReasonOf, refuseRelayer, requireStock } from '../records/index.ts'
import { explainStocks } from '../reverts.ts'
import { relayed, unsigned } from './built.ts'
import { gasLimitFor } from './gas-limit.rules.ts'
import { type SignerRule, signerReads, signersOf } from './signers.reads.ts'

/** The token that the path names, and what is to be done to it. */
interface StockSubject<O extends TwoLegged> {
  readonly chain: Chain
  readonly stock: Stock
  readonly relayer: RelayerService
  readonly write: AnyStockWrite<O>
}

/** An operation on the token that its path names. */
interface StockOperation extends TwoLegged {
  readonly params: NonNullable<TwoLegged['params']>
}

/** What was done: the relayer's answer and the confirmation say the same. */
type Done<O extends TwoLegged> = OmitEach<LegDataOf<O, 'confirm'>, 'transactionHash' | 'tokenAddress' | 'verifiedBy'>
type Body<O extends TwoLegged> = LegBodyOf<O, 'build'>

/** What the state of the token adds to a build. */
interface Considered<O extends TwoLegged> {
  readonly built: object
  readonly done: Partial<Done<O>>
  /** The transactions that follow the first, for a write that may take several. */
  readonly following?: readonly PlannedStep[]
}

/** One write of a stock token: from a body to a call, and from its event to an answer. */
export interface StockWrite<O extends TwoLegged, Args, Fields extends object> {
  readonly call: TypedCall<Args, Fields>
  readonly signer: SignerRule
  /** Does less when it is given less gas, and wants this much in hand for each step. */
  readonly gasInHand?: bigint
  /** The event comes from the compliance module of the token, not from the token itself. */
  readonly byModule?: true
  /** A request, understood. */
  ask(
    body: Body<O>,
    stock: Stock,
  ): { readonly args: NoInfer<Args>; readonly done: Partial<Done<O>>; readonly reason?: EncodedReason }
  /** What a confirmation must show; only what the body names. */
  expect(body: Body<O>, stock: Stock): { readonly [F in keyof NoInfer<Fields>]?: NoInfer<Fields>[F] | undefined }
  report(proof: ConfirmedEffect<NoInfer<Fields>>, stock: Stock): Done<O>
  /** What the event alone does not say and the body does. False: it was another transaction. */
  isWhatWasAsked?(proof: ConfirmedEffect<NoInfer<Fields>>, body: Body<O>, stock: Stock): boolean
  readonly state?: {
    questions(stock: Stock): readonly ContractRead<bigint>[]
    consider(answers: readonly bigint[], args: NoInfer<Args>, stock: Stock): Considered<O>
  }
}

/** One whose arguments and effect concern nobody but itself. */
// biome-ignore lint/suspicious/noExplicitAny: of several writes only one is made, and each is checked where it is written
export type AnyStockWrite<O extends TwoLegged> = StockWrite<O, any, any>

/** Who could sign, and what the write wants to know of the token: one round trip. */
async function askToken<O extends TwoLegged>(chain: Chain, stock: Stock, write: AnyStockWrite<O>) {
  const questions = write.state?.questions(stock) ?? []
  const reads: ContractRead<boolean | bigint>[] = [...questions, ...signerReads(stock, write.signer)]
  const { block, results } = await chain.read(reads)
  const answers = results.slice(0, questions.length).map((one) => {
    if (!one.ok || typeof one.value !== 'bigint') throw new AppError('CHAIN_UNAVAILABLE')
    return one.value
  })
  const signers = signersOf(stock, write.signer, results.slice(questions.length))
  return { block, answers, signers }
}

/** The module that carries out what the token forwards: it is the one that speaks. */
async function moduleOf(chain: Chain, { tokenAddress }: Stock): Promise<Address> {
  const { results } = await chain.read([contractRead(tokenAddress, abis.stock, 'complianceModule', [])])
  const [module] = results
  if (!module.ok) throw new AppError('CHAIN_UNAVAILABLE')
  return lowered(module.value)
}

/** All transactions of a write in order; none when the first is the only one. */
const stepsOf = <F extends object>(first: object, following: readonly F[]) =>
  following.length === 0
    ? []
    : [{ ...first, description: 'Starts the split and converts the first holders.' }, ...following]

/** The three ways of every write: to be signed, sent by the relayer, confirmed. Which write it is may depend on the body. */
export function chosenStockWrite<O extends StockOperation>(
  operation: O,
  choose: (body: Body<O>) => AnyStockWrite<O>,
): (parts: StocksParts) => Route {
  /** A confirmation takes all that the build takes. */
  const bodyOf = (body: LegBodyOf<O, 'build'> | LegBodyOf<O, 'confirm'>) => body as Body<O> & { useRelayer?: boolean }

  const { provenBy } = writesOf<O, StocksParts, StockSubject<O>>({
    async find({ chains, relayer }, { tenant, params, body }: Asked) {
      const stock = await requireStock(tenant, params.tokenAddress ?? '')
      // The door has held the body against the schema of its leg.
      return { chain: chains.get(stock.chainId), stock, relayer, write: choose(body as Body<O>) }
    },
    targets: {},
    path: ({ stock }) => ({ tokenAddress: stock.tokenAddress }),
    explain: explainStocks,
    hashField: 'transactionHash',
  })

  return provenBy<O, object, undefined>(operation, {
    async build({ chain, stock, write, relayer, tenant, now, mountedAt, attempt, ...request }) {
      const body = bodyOf(request.body)
      const { tokenAddress } = stock
      const { args, done, reason } = write.ask(body, stock)
      const relayerAddress = body.useRelayer ? await relayer.addressOf(tenant, stock.chainId) : null
      const { block, answers, signers } = await askToken(chain, stock, write)
      const considered = write.state?.consider(answers, args, stock)
      const { functionName } = write.call
      const planned = { call: write.call.prepare(tokenAddress, args), functionName }
      const built = await attempt(planned, relayerAddress ?? signers.simulateFrom)
      await keepReasonOf(tenant, reason, now)
      const gasLimit = write.gasInHand === undefined ? undefined : gasLimitFor(built.simulation, write.gasInHand)
      if (relayerAddress) {
        const transactionHash = await relayed(relayer, tenant, operation.id, built, gasLimit)
        const whole = { transactionHash, tokenAddress, ...done, ...considered?.done }
        return { block, whole: whole as LegDataOf<O, 'build'> }
      }
      const following = considered?.following?.map(({ call: { to, data }, functionName, description }) => ({
        ...{ to, data, value: '0' as const, chainId: chain.chainId },
        ...{ functionName, description },
      }))
      const whole = {
        ...unsigned(built, mountedAt.replace('{tokenAddress}', tokenAddress)),
        requiredRole: write.signer.requiredRole,
        signerAddress: signers.signerAddress,
        ...considered?.built,
        ...(gasLimit === undefined ? {} : { gasLimit: gasLimit?.toString() ?? null }),
        ...(following ? { steps: stepsOf({ ...built.transaction, functionName }, following) } : {}),
      }
      return { block, whole: whole as LegDataOf<O, 'build'>, calls: [built.transaction, ...(following ?? [])] }
    },

    async evidence({ chain, stock, write, body }) {
      const expected = write.expect(bodyOf(body), stock)
      const module = write.byModule ? await moduleOf(chain, stock) : null
      const { settle } = write.call
      const call = module
        ? { ...write.call, settle: (_: Address, logs: Parameters<typeof settle>[1]) => settle(module, logs) }
        : write.call
      return { target: stock.tokenAddress, kind: 'stock', candidates: [candidate(call, expected)] }
    },

    precheck: (body) => {
      if ('txHash' in bodyOf(body)) refuseRelayer(bodyOf(body))
    },

    async along(proof, { stock, write, body }) {
      if (write.isWhatWasAsked && !write.isWhatWasAsked(proof, bodyOf(body), stock))
        throw new AppError('TX_NOT_VERIFIED')
      const { block, logs } = proof.transaction
      const module = write.byModule ? logs.find(({ logIndex }) => logIndex === proof.logIndex) : undefined
      const concerns = module ? [{ address: module.address, kind: 'stockCompliance', fromBlock: block.number }] : []
      return { seen: undefined, alongside: { concerns } }
    },

    proven: (proof, { stock, write }) => ({ tokenAddress: stock.tokenAddress, ...write.report(proof, stock) }) as never,
  })
}

export const stockWrite = <O extends StockOperation, Args extends object, Fields extends object>(
  operation: O,
  write: StockWrite<O, Args, Fields>,
) => chosenStockWrite(operation, () => write)
