import type { LegBodyOf, LegCodeOf, LegDataOf } from '@tallystick/wire'
import type { Address, Hex } from 'viem'
import { type AppCode, AppError } from '../platform/app-error.ts'
import type { Block } from '../platform/chain/block.ts'
import type { Chain } from '../platform/chain/chain.ts'
import type { ExplainRevert } from '../platform/chain/reverts.ts'
import type { MinedTransaction } from '../platform/chain/transaction.ts'
import type { TypedCall } from '../platform/chain/typed-call.ts'
import {
  besideTransaction,
  type PlannedCall,
  type PlannedStep,
  presentCall,
  presentSteps,
} from '../platform/chain/unsigned-call.ts'
import type { Clock } from '../platform/clock.ts'
import type { TenantDatabase } from '../platform/db/database.ts'
import type { Caller } from '../platform/http/caller.ts'
import { type LegCall, legsRoute, type TwoLegged } from '../platform/http/legs.ts'
import type { Route } from '../platform/http/route.ts'
import type { BuiltTransaction } from '../platform/http/safe-file.ts'
import { type ConfirmCandidate, candidate } from './verification.ts'
import type { Alongside, ConfirmedCandidate, WritesService } from './writes.service.ts'

type Leg = 'build' | 'confirm'

/** What every kind of write is made with. */
export interface WriteParts {
  readonly clock: Clock
  readonly writes: WritesService
}

/** Where a request came in and what it names. */
export interface Asked {
  readonly leg: Leg
  readonly caller: Caller
  readonly tenant: TenantDatabase
  readonly mountedAt: string
  readonly params: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, unknown>>
  readonly body: Readonly<Record<string, unknown>>
}

/** What a write is about, such as a market: found once per request, in the same way on both legs. */
export interface Subject {
  readonly chain: Chain
}

/** A kind of write: what its operations are about, and where their calls go. */
export interface WriteKind<Parts extends WriteParts, S extends Subject> {
  find(parts: Parts, asked: Asked): Promise<S>
  /** By kind of contract. Another kind has no place here: it would be sent to a contract that does not know it. */
  readonly targets: Readonly<Record<string, (subject: S) => Address>>
  /** The parameters of the path as a confirmation shall name them; absent: as the request did. */
  path?(subject: S): Readonly<Record<string, string>>
  readonly explain: ExplainRevert
  /** What the surface calls the hash in a confirmation, where that is not `txHash`. */
  readonly hashField?: 'transactionHash'
}

/** A request with its subject. */
export type WriteRequest<O extends TwoLegged, S extends Subject, L extends Leg> = S &
  Pick<LegCall<O, L>, 'body' | 'query' | 'refuse' | 'tenant' | 'caller' | 'mountedAt'> & { readonly now: Date }

/** One call to sign, and what would happen if it were sent now. */
export type BuiltCall = Awaited<ReturnType<typeof presentCall>>
type Simulation = BuiltCall['simulation']

/** A build can also try its call beforehand: what would happen may decide who has to sign. */
export type BuildRequest<O extends TwoLegged, S extends Subject, Args> = WriteRequest<O, S, 'build'> & {
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
/** Of each member of a union by itself. */
export type OmitEach<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never

type BuildAnswer<O extends TwoLegged> = OmitEach<LegDataOf<O, 'build'>, ShownByKit<LegDataOf<O, 'build'>>>
type ConfirmAnswer<O extends TwoLegged> = OmitEach<LegDataOf<O, 'confirm'>, 'txHash' | 'transactionHash' | 'verifiedBy'>

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
  /** What is still on its way is waited for while the call is simulated; what depends on the simulation is made from it. */
  readonly answer: BuildAnswer<O> | Promise<BuildAnswer<O>> | ((simulation: Simulation) => BuildAnswer<O>)
}

/** What to sign, and what is said about it: the call of the write with these arguments, or another one that is accepted too. */
export type Decided<O extends TwoLegged, Args> = DecidedAlways<O> &
  ({ readonly args: Args; readonly instead?: never } | { readonly instead: PlannedCall; readonly args?: never })

/** A build that ends with an answer of its own: it has nothing to sign on chain yet, or it was sent already. */
interface Answered<O extends TwoLegged> {
  readonly block: Block
  readonly whole: LegDataOf<O, 'build'>
  /** What is to be signed after all, for the file of a multi-signature wallet. */
  readonly calls?: readonly BuiltTransaction[]
}

/** What is read or written along with a proof, before anything is recorded: where it fails, the confirmation leaves no trace. */
export interface Along<Seen> {
  readonly seen: Seen
  /** What the answer is dated by, where that is not the block of the receipt. */
  readonly block?: Block
  readonly alongside?: Alongside
}

/** Where a write shows, and by which calls and events. */
export interface Evidence<E extends object> {
  readonly target: Address
  /** The set of calls that the follower reads at this contract. */
  readonly kind: string
  readonly candidates: readonly ConfirmCandidate<E>[]
  /** May know better than the verifier why a transaction at the right contract is not the one. */
  refuse?(transaction: MinedTransaction): AppError | null
}

interface WriteAlways<O extends TwoLegged, S extends Subject, E extends object, Seen> {
  /** Where the transaction stands in the answer: whole, its fields beside it, or wherever the answer of the write puts it. */
  readonly shape?: 'whole' | 'flat' | 'own'
  /** The interface of some operations does not say where to confirm: on the same path, like everywhere. */
  readonly confirmedAt?: 'unsaid'
  /** How the operation calls a transaction that was mined and failed, where it has a code of its own. */
  readonly reverted?: LegCodeOf<O, 'confirm'> & AppCode
  /** Refuses what the body alone shows to be wrong, on either leg, before anything is looked up. */
  precheck?(body: LegBodyOf<O, 'build'> | LegBodyOf<O, 'confirm'>): void
  /** The same where a confirmation ignores what is checked. */
  precheckBuild?(asked: Pick<LegCall<O, 'build'>, 'body' | 'refuse'>): void
  along?(proof: ConfirmedCandidate<E>, request: WriteRequest<O, S, 'confirm'>): Promise<Along<Seen>>
  /** The answer to a confirmation, from the receipt and what was seen along with it. */
  proven(
    proof: ConfirmedCandidate<E>,
    request: WriteRequest<O, S, 'confirm'>,
    seen: NoInfer<Seen>,
  ): ConfirmAnswer<O> | Promise<ConfirmAnswer<O>>
}

/** A write that is one function of one contract, or one of few. */
export interface CallWrite<
  O extends TwoLegged,
  S extends Subject,
  Args,
  Fields extends object,
  Other extends object,
  Seen,
> extends WriteAlways<O, S, NoInfer<Fields | Other>, Seen> {
  readonly call: TypedCall<Args, Fields>
  /** Other functions of the same contract that will do as well. */
  readonly orCalls?: readonly TypedCall<never, Other>[]
  /** Reads, refuses, and says what to sign. What the chain would refuse beyond that, the simulation tells. */
  build(request: BuildRequest<O, S, Args>): Promise<Decided<O, Args> | Answered<O>>
  /** What the event of the function must say. */
  expect(request: WriteRequest<O, S, 'confirm'>, functionName: string): Partial<NoInfer<Fields & Other>>
}

/** A write whose call and proof depend on what it is about. */
export interface ProvenWrite<O extends TwoLegged, S extends Subject, E extends object, Seen>
  extends WriteAlways<O, S, E, Seen> {
  build(request: BuildRequest<O, S, PlannedCall>): Promise<Decided<O, PlannedCall> | Answered<O>>
  evidence(request: WriteRequest<O, S, 'confirm'>): Promise<Evidence<E>> | Evidence<E>
}

const shapes = {
  whole: (built: BuiltCall) => built,
  flat: besideTransaction,
  own: ({ functionName, simulation }: BuiltCall) => ({ functionName, simulation }),
}

/** The failure of a transaction in the words of the operation, with the hash that it is about. */
function failedAs(code: AppCode | undefined, txHash: Hex, error: unknown): unknown {
  if (code === undefined || !(error instanceof AppError) || error.code !== 'TX_REVERTED') return error
  return new AppError(code, {
    ...(error.detail ? { detail: error.detail } : {}),
    extra: { txHash: txHash.toLowerCase() },
  })
}

const filledIn = (mountedAt: string, params: Readonly<Record<string, string>>) =>
  mountedAt.replace(/\{(\w+)\}/g, (whole, name: string) => params[name] ?? whole)

/**
 * Writes of one kind, as values: what is called, what decides about it, and what its receipt shows. The rest is alike for all of them and
 * done here: finding what it is about, simulating, saying where to confirm, proving and recording, and dating the answer by its block.
 */
export function writesOf<Op extends TwoLegged, Parts extends WriteParts, S extends Subject>(kind: WriteKind<Parts, S>) {
  type Made = (parts: Parts) => Route

  function provenBy<O extends Op, E extends object, Seen = undefined>(
    operation: O,
    write: ProvenWrite<O, S, E, Seen>,
  ): Made {
    return (parts) => {
      const { clock, writes } = parts
      const options = { clock, explain: kind.explain }

      async function understood<L extends Leg>(leg: L, asked: LegCall<O, L>): Promise<WriteRequest<O, S, L>> {
        const { tenant, caller, mountedAt, body, query, refuse } = asked
        write.precheck?.(body)
        // The door has held all of them against the schemas of the operation.
        const subject = await kind.find(parts, { ...(asked as unknown as Asked), leg })
        return { ...subject, tenant, caller, mountedAt, body, query, refuse, now: clock.now() }
      }

      async function toSign({ chain }: S, decided: Decided<O, PlannedCall>) {
        const { signer, steps } = decided
        const meant = decided.instead ?? decided.args
        if (!steps) {
          const built = decided.built ?? (await presentCall(chain, meant, signer, options))
          return { ...built, shown: shapes[write.shape ?? 'whole'](built), calls: [built.transaction] }
        }
        const { before, after = [], description } = steps
        const planned = [...before, { ...meant, description }, ...after]
        const { built, calls } = await presentSteps(chain, planned, signer, options)
        return { ...built, shown: { ...built, confirmStepIndex: before.length }, calls }
      }

      return legsRoute<O>(operation, {
        async build(asked) {
          write.precheckBuild?.(asked)
          const request = await understood('build', asked)
          const attempt = (planned: PlannedCall, signer: Address | null) =>
            presentCall(request.chain, planned, signer, options)
          const decided = await write.build({ ...request, attempt })
          if ('whole' in decided) {
            const { whole, ...beside } = decided
            return { data: whole, ...beside }
          }
          const [{ shown, simulation, calls }, answer] = await Promise.all([toSign(request, decided), decided.answer])
          const { block, confirmWith } = decided
          const params = kind.path?.(request) ?? (asked as unknown as Asked).params
          const data = {
            ...shown,
            ...(typeof answer === 'function' ? answer(simulation) : answer),
            confirmWith: {
              ...(write.confirmedAt === 'unsaid' ? {} : { endpoint: filledIn(request.mountedAt, params) }),
              field: 'txHash',
              ...(confirmWith ? { body: { ...confirmWith, txHash: null } } : {}),
            },
          }
          return { data: data as LegDataOf<O, 'build'>, block, calls }
        },

        async confirm(asked) {
          const request = await understood('confirm', asked)
          const { txHash } = asked.body as { txHash: Hex }
          const { candidates, refuse, ...place } = await write.evidence(request)
          let along: Along<Seen> | undefined
          const proving = writes.confirmOneOf(
            request.tenant,
            { chain: request.chain, ...place },
            candidates,
            txHash,
            async (found) => {
              along = await write.along?.(found, request)
              return along?.alongside ?? {}
            },
            refuse,
          )
          const proof = await proving.catch((error: unknown) => {
            throw failedAs(write.reverted, txHash, error)
          })
          const { transaction, verifiedBy } = proof
          const data = {
            [kind.hashField ?? 'txHash']: transaction.hash,
            ...(verifiedBy ? { verifiedBy } : {}),
            // Without `along` there is nothing to see, and `Seen` is undefined.
            ...(await write.proven(proof, request, along?.seen as Seen)),
          }
          return { data: data as LegDataOf<O, 'confirm'>, block: along?.block ?? transaction.block }
        },
      })
    }
  }

  function of<
    O extends Op,
    Args extends object,
    Fields extends object,
    Other extends object = Fields,
    Seen = undefined,
  >(operation: O, write: CallWrite<O, S, Args, Fields, Other, Seen>): Made {
    const { call, orCalls = [], build, expect, ...rest } = write
    const targetOf = kind.targets[call.kind]
    if (!targetOf) throw new Error(`${operation.id}: there is no ${call.kind} to call`)
    const planned = (subject: S, args: Args): PlannedCall => ({
      call: call.prepare(targetOf(subject), args),
      functionName: call.functionName,
    })
    return provenBy<O, Fields | Other, Seen>(operation, {
      ...rest,
      async build(request) {
        const attempt = (args: Args, signer: Address | null) => request.attempt(planned(request, args), signer)
        const decided = await build({ ...request, attempt })
        if ('whole' in decided || decided.instead) return decided
        const { args, ...others } = decided
        return { ...others, args: planned(request, args) }
      },
      evidence: (request) => ({
        target: targetOf(request),
        kind: call.kind,
        candidates: [
          candidate(call, expect(request, call.functionName)),
          ...orCalls.map((other) => candidate(other, expect(request, other.functionName))),
        ],
      }),
    })
  }

  return { of, provenBy }
}
