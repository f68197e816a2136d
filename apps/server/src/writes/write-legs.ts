import type { LegBodyOf, LegDataOf, OrdinaryOperation } from '@tallystick/wire'
import type { Address, Hex } from 'viem'
import { type AppCode, AppError } from '../platform/app-error.ts'
import { besideTransaction, type PlannedCall, presentCall, presentSteps } from '../platform/chain/unsigned-call.ts'
import type { Building, Confirming, LegCall } from '../platform/http/legs.ts'
import type { Result } from '../platform/http/route.ts'
import type {
  Along,
  Asked,
  BuildingWrite,
  BuiltCall,
  ConfirmingWrite,
  Decided,
  Leg,
  Subject,
  WriteKind,
  WriteParts,
  WriteRequest,
} from './write.ts'

/** What the request is about, with what was asked of it. */
async function understood<O extends OrdinaryOperation, Parts extends WriteParts, S extends Subject, L extends Leg>(
  kind: WriteKind<Parts, S>,
  parts: Parts,
  leg: L,
  asked: LegCall<O, L>,
): Promise<WriteRequest<O, S, L>> {
  const { tenant, caller, mountedAt, params, body, query, refuse } = asked
  // The door has held all of them against the schemas of the operation.
  const subject = await kind.find(parts, { ...(asked as unknown as Asked), leg })
  return { ...subject, tenant, caller, mountedAt, params, body, query, refuse, now: parts.clock.now() }
}

const shapes = {
  whole: (built: BuiltCall) => built,
  flat: besideTransaction,
  own: ({ functionName, simulation }: BuiltCall) => ({ functionName, simulation }),
}

const UNSIMULATED: BuiltCall['simulation'] = { simulated: false, success: false, gasUsed: null, revert: null }

const filledIn = (path: string, params: Readonly<Record<string, string>>) =>
  path.replace(/\{(\w+)\}/g, (whole, name: string) => params[name] ?? whole)

/** Of the paths of another operation, the one under the prefix that was called. */
export function pathBeside(mountedAt: string, { path, alsoAt = [] }: Pick<Confirming, 'path' | 'alsoAt'>): string {
  const shared = (other: string) => {
    const apart = [...other].findIndex((character, at) => character !== mountedAt[at])
    return apart < 0 ? other.length : apart
  }
  return alsoAt.reduce((nearest, other) => (shared(other) > shared(nearest) ? other : nearest), path)
}

/** Either it is confirmed by another operation, or on its own path, which some operations do not say. */
type BuildLeg<O extends Building, S extends Subject> = Omit<BuildingWrite<O, S>, 'confirmedBy'> &
  Partial<Pick<BuildingWrite<O, S>, 'confirmedBy'>> & { readonly confirmedAt?: 'unsaid' }

/** Finds, decides, simulates, and says where to confirm. */
export function buildLeg<O extends Building, Parts extends WriteParts, S extends Subject>(
  kind: WriteKind<Parts, S>,
  { shape = 'whole', confirmedAt, confirmedBy, ...write }: BuildLeg<O, S>,
) {
  return (parts: Parts) => {
    const options = { clock: parts.clock, explain: kind.explain }

    async function toSign({ chain }: S, decided: Decided<O, PlannedCall>) {
      const { signer, steps } = decided
      const meant = decided.instead ?? decided.args
      if (!steps) {
        const built = decided.built ?? (await presentCall(chain, meant, signer, options))
        return { ...built, shown: shapes[shape](built), calls: [built.transaction] }
      }
      const { before, after = [], description } = steps
      const planned = [...before, { ...meant, description }, ...after]
      const { built, calls } = await presentSteps(chain, planned, signer, options)
      const shown = { ...built, ...(shape === 'flat' ? { steps: calls } : {}), confirmStepIndex: before.length }
      return { ...built, shown, calls }
    }

    return async (asked: LegCall<O, 'build'>): Promise<Result<LegDataOf<O, 'build'>>> => {
      write.precheckBuild?.(asked)
      const request = await understood(kind, parts, 'build', asked)
      const attempt = (planned: PlannedCall, signer: Address | null, explain = kind.explain) =>
        presentCall(request.chain, planned, signer, { ...options, explain })
      const decided = await write.build({ ...request, attempt })
      if ('whole' in decided) {
        const { whole, ...beside } = decided
        return { data: whole, ...beside }
      }
      const [{ shown, simulation, calls }, answer] = await Promise.all([toSign(request, decided), decided.answer])
      const { block, confirmWith, unsimulated } = decided
      const params = kind.path?.(request) ?? (asked as unknown as Asked).params
      const { mountedAt } = request
      const path = confirmedBy ? pathBeside(mountedAt, confirmedBy) : mountedAt
      const data = {
        ...shown,
        ...(unsimulated ? { simulation: UNSIMULATED } : {}),
        ...(typeof answer === 'function' ? answer(simulation) : answer),
        confirmWith: {
          ...(confirmedAt === 'unsaid' ? {} : { endpoint: filledIn(path, params) }),
          field: 'txHash',
          ...(confirmWith ? { body: { ...confirmWith, txHash: null } } : {}),
        },
      }
      return { data: data as LegDataOf<O, 'build'>, block, calls }
    }
  }
}

/** The failure of a proof in the words of the operation. */
function failedAs(
  { reverted, unrelated }: { readonly reverted?: AppCode; readonly unrelated?: AppCode },
  txHash: Hex,
  error: unknown,
): unknown {
  if (!(error instanceof AppError)) return error
  if (unrelated !== undefined && (error.code === 'TX_WRONG_TARGET' || error.code === 'TX_WRONG_FUNCTION'))
    return new AppError(unrelated)
  if (reverted === undefined || error.code !== 'TX_REVERTED') return error
  return new AppError(reverted, {
    ...(error.detail ? { detail: error.detail } : {}),
    extra: { txHash: txHash.toLowerCase() },
  })
}

type ConfirmLeg<O extends Confirming, S extends Subject, E extends object, Seen> = ConfirmingWrite<O, S, E, Seen> & {
  readonly precheck?: ((body: LegBodyOf<O, 'confirm'>) => void) | undefined
}

/** Finds, proves, records, and answers from the receipt. */
export function confirmLeg<O extends Confirming, Parts extends WriteParts, S extends Subject, E extends object, Seen>(
  kind: WriteKind<Parts, S>,
  write: ConfirmLeg<O, S, E, Seen>,
) {
  return (parts: Parts) =>
    async (asked: LegCall<O, 'confirm'>): Promise<Result<LegDataOf<O, 'confirm'>>> => {
      write.precheck?.(asked.body)
      const request = await understood(kind, parts, 'confirm', asked)
      const { txHash } = asked.body as { txHash: Hex }
      const { candidates, refuse, ...place } = await write.evidence(request)
      let along: Along<Seen> | undefined
      const proving = parts.writes.confirmOneOf(
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
        throw failedAs(write, txHash, error)
      })
      const { transaction, verifiedBy } = proof
      const data = {
        [kind.hashField ?? 'txHash']: transaction.hash,
        ...(verifiedBy ? { verifiedBy } : {}),
        // Without `along` there is nothing to see, and `Seen` is undefined.
        ...(await write.proven(proof, request, along?.seen as Seen)),
      }
      return { data: data as LegDataOf<O, 'confirm'>, block: along?.block ?? transaction.block }
    }
}
