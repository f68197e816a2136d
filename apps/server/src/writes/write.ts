import type { LegBodyOf, LegCodeOf, LegDataOf, OrdinaryOperation } from '@tallystick/wire'
import type { Address } from 'viem'
import type { AppCode, AppError } from '../platform/app-error.ts'
import type { Block } from '../platform/chain/block.ts'
import type { Chain } from '../platform/chain/chain.ts'
import type { ExplainRevert } from '../platform/chain/reverts.ts'
import type { MinedTransaction } from '../platform/chain/transaction.ts'
import type { TypedCall } from '../platform/chain/typed-call.ts'
import { type PlannedCall, type PlannedStep, plannedCall, type presentCall } from '../platform/chain/unsigned-call.ts'
import type { Clock } from '../platform/clock.ts'
import type { TenantDatabase } from '../platform/db/database.ts'
import type { Caller } from '../platform/http/caller.ts'
import {
  type Building,
  type Confirming,
  type LegCall,
  legRoute,
  legsRoute,
  type TwoLegged,
} from '../platform/http/legs.ts'
import type { Route } from '../platform/http/route.ts'
import type { BuiltTransaction } from '../platform/http/safe-file.ts'
import { type ConfirmCandidate, candidate } from './verification.ts'
import { buildLeg, confirmLeg } from './write-legs.ts'
import type { Alongside, ConfirmedCandidate, WritesService } from './writes.service.ts'

export type Leg = 'build' | 'confirm'

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
export type WriteRequest<O extends OrdinaryOperation, S extends Subject, L extends Leg> = S &
  Pick<LegCall<O, L>, 'params' | 'body' | 'query' | 'refuse' | 'tenant' | 'caller' | 'mountedAt'> & {
    readonly now: Date
  }

/** One call to sign, and what would happen if it were sent now. */
export type BuiltCall = Awaited<ReturnType<typeof presentCall>>
type Simulation = BuiltCall['simulation']

/** A build can also try its call beforehand: what would happen may decide who has to sign. */
export type BuildRequest<O extends Building, S extends Subject, Args> = WriteRequest<O, S, 'build'> & {
  /** `explain`: where what a revert says decides as well. */
  readonly attempt: (args: Args, signer: Address | null, explain?: ExplainRevert) => Promise<BuiltCall>
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

type BuildAnswer<O extends Building> = OmitEach<LegDataOf<O, 'build'>, ShownByKit<LegDataOf<O, 'build'>>>
type ConfirmAnswer<O extends Confirming> = OmitEach<
  LegDataOf<O, 'confirm'>,
  'txHash' | 'transactionHash' | 'verifiedBy'
>

interface DecidedAlways<O extends Building> {
  /** The block that everything was read at. */
  readonly block: Block
  /** Who the call is simulated from; null: anybody. */
  readonly signer: Address | null
  /** True where nobody in particular would sign, and a simulation would say nothing. */
  readonly unsimulated?: boolean
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
export type Decided<O extends Building, Args> = DecidedAlways<O> &
  ({ readonly args: Args; readonly instead?: never } | { readonly instead: PlannedCall; readonly args?: never })

/** A build that ends with an answer of its own: it has nothing to sign on chain yet, or it was sent already. */
export interface Answered<O extends Building> {
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

/** How a build shows what is to be signed. */
interface Shown {
  /**
   * Where the transaction stands in the answer: whole, its fields beside it, or wherever the answer of the write puts it. Of several, `flat`
   * shows their fields without a wrapper.
   */
  readonly shape?: 'whole' | 'flat' | 'own'
}

/** How a receipt becomes an answer. */
interface ConfirmPart<O extends Confirming, S extends Subject, E extends object, Seen> {
  /** How the operation calls a transaction that was mined and failed, where it has a code of its own. */
  readonly reverted?: LegCodeOf<O, 'confirm'> & AppCode
  /** How it calls one that did something else, where it has a code for that. */
  readonly unrelated?: LegCodeOf<O, 'confirm'> & AppCode
  along?(proof: ConfirmedCandidate<E>, request: WriteRequest<O, S, 'confirm'>): Promise<Along<Seen>>
  /** The answer to a confirmation, from the receipt and what was seen along with it. */
  proven(
    proof: ConfirmedCandidate<E>,
    request: WriteRequest<O, S, 'confirm'>,
    seen: NoInfer<Seen>,
  ): ConfirmAnswer<O> | Promise<ConfirmAnswer<O>>
}

interface WriteAlways<O extends TwoLegged, S extends Subject, E extends object, Seen>
  extends Shown,
    ConfirmPart<O, S, E, Seen> {
  /** The interface of some operations does not say where to confirm: on the same path, like everywhere. */
  readonly confirmedAt?: 'unsaid'
  /** Refuses what the body alone shows to be wrong, on either leg, before anything is looked up. */
  precheck?(body: LegBodyOf<O, 'build'> | LegBodyOf<O, 'confirm'>): void
  /** The same where a confirmation ignores what is checked. */
  precheckBuild?(asked: Pick<LegCall<O, 'build'>, 'params' | 'body' | 'refuse'>): void
}

/** A build whose confirmation is an operation of its own. */
export interface BuildingWrite<O extends Building, S extends Subject> extends Shown {
  /** The operation that confirms it, under the same prefix. */
  readonly confirmedBy: Pick<Confirming, 'path' | 'alsoAt'>
  /** Refuses what the body alone shows to be wrong, before anything is looked up. */
  precheckBuild?(asked: Pick<LegCall<O, 'build'>, 'params' | 'body' | 'refuse'>): void
  build(request: BuildRequest<O, S, PlannedCall>): Promise<Decided<O, PlannedCall> | Answered<O>>
}

/** A confirmation whose build is an operation of its own, or several. */
export interface ConfirmingWrite<O extends Confirming, S extends Subject, E extends object, Seen>
  extends ConfirmPart<O, S, E, Seen> {
  evidence(request: WriteRequest<O, S, 'confirm'>): Promise<Evidence<E>> | Evidence<E>
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
  extends WriteAlways<O, S, E, Seen>,
    Pick<BuildingWrite<O, S>, 'build'>,
    Pick<ConfirmingWrite<O, S, E, Seen>, 'evidence'> {}

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
    const { precheck, precheckBuild } = write
    const build = buildLeg<O, Parts, S>(kind, {
      ...write,
      precheckBuild(asked) {
        precheckBuild?.(asked)
        precheck?.(asked.body)
      },
    })
    const confirm = confirmLeg<O, Parts, S, E, Seen>(kind, { ...write, precheck })
    return (parts) => legsRoute<O>(operation, { build: build(parts), confirm: confirm(parts) })
  }

  function building<O extends Building & Pick<Op, 'params'>>(operation: O, write: BuildingWrite<O, S>): Made {
    const build = buildLeg<O, Parts, S>(kind, write)
    return (parts) => legRoute<O, 'build'>(operation, build(parts))
  }

  function confirming<O extends Confirming & Pick<Op, 'params'>, E extends object, Seen = undefined>(
    operation: O,
    write: ConfirmingWrite<O, S, E, Seen>,
  ): Made {
    const confirm = confirmLeg<O, Parts, S, E, Seen>(kind, write)
    return (parts) => legRoute<O, 'confirm'>(operation, confirm(parts))
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
    const planned = (subject: S, args: Args) => plannedCall(call, targetOf(subject), args)
    return provenBy<O, Fields | Other, Seen>(operation, {
      ...rest,
      async build(request) {
        const attempt = (args: Args, ...how: [Address | null, ExplainRevert?]) =>
          request.attempt(planned(request, args), ...how)
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

  return { of, provenBy, building, confirming }
}
