import { type Address, isAddress, isHex } from 'viem'
import type { Hex } from '../operation.ts'
import { TallySigningError } from './signing-error.ts'

type Fields = Readonly<Record<string, unknown>>

/** One transaction that was built, in whichever of its forms the answer had it. */
export interface CallToSign {
  /** null: creates a contract. */
  readonly to: Address | null
  readonly data: Hex
  readonly chainId: number
  readonly gas: bigint | undefined
  readonly description: string | undefined
  /** Who alone may sign it, where the answer says so. */
  readonly requiredSigner: Address | undefined
  /** The step as it was answered. */
  readonly step: Fields
}

export interface BuiltCalls {
  readonly calls: readonly CallToSign[]
  /** Which of them are reported, by their place. */
  readonly reported: readonly number[]
  /** Why it would fail, if the service found that out. */
  readonly wouldRevert: string | undefined
}

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const textIn = (fields: Fields, name: string) => (typeof fields[name] === 'string' ? fields[name] : undefined)

function unexpected(what: string): TallySigningError {
  return new TallySigningError('UNEXPECTED_CALL', what)
}

/** A call may carry its chain itself, or have it beside; everything that is said twice has to be the same. */
function callOf(transaction: Fields, step: Fields, about: Fields): CallToSign {
  const told = { ...about, ...step, ...transaction }
  const { to, data, value, chainId } = told
  for (const name of ['to', 'data'])
    if (isFields(step.transaction) && step[name] !== undefined && step[name] !== transaction[name])
      throw unexpected(`the answer names two different values for ${name}`)
  const isCreation = about.contractCreation === true && to === undefined
  if (!isCreation && !(typeof to === 'string' && isAddress(to, { strict: false })))
    throw unexpected('the call has no target')
  if (!isHex(data)) throw unexpected('the call has no data')
  if (value !== undefined && value !== '0')
    throw unexpected(`the call would send ${String(value)} of the native currency`)
  if (typeof chainId !== 'number') throw unexpected('the call names no chain')
  const description = textIn(step, 'description') ?? textIn(about, 'description') ?? textIn(told, 'functionName')
  const signer = textIn(told, 'requiredSigner') ?? textIn(told, 'expectedSigner')
  const requiredSigner = signer as Address | undefined
  return { to: isCreation ? null : (to as Address), data, chainId, gas: undefined, description, requiredSigner, step }
}

function stepCalls(steps: readonly unknown[], about: Fields): CallToSign[] {
  return steps.filter(isFields).map((step) => callOf(isFields(step.transaction) ? step.transaction : step, step, about))
}

/** The same call under two names is one call. */
function distinct(calls: readonly CallToSign[]): CallToSign[] {
  return calls.filter((call, at) => calls.findIndex(({ to, data }) => to === call.to && data === call.data) === at)
}

function everyCall(built: Fields): { calls: CallToSign[]; reported: readonly number[] } {
  const { steps, confirmStepIndex, txData, transaction, calldata, configurationCalldata } = built
  if (isFields(configurationCalldata)) {
    // Each does something of its own, and is proven for itself.
    const calls = distinct(stepCalls(Object.values(configurationCalldata), built))
    return { calls, reported: calls.map((_, at) => at) }
  }
  if (Array.isArray(steps) && steps.length > 0) {
    const calls = stepCalls(steps, built)
    if (typeof confirmStepIndex === 'number') return { calls, reported: [confirmStepIndex] }
    // What goes on after the first call is followed by itself.
    if (isFields(txData)) return { calls, reported: [0] }
    const isEachItsOwn = steps.every((step) => isFields(step) && ('key' in step || 'fieldName' in step))
    return { calls, reported: isEachItsOwn ? calls.map((_, at) => at) : [calls.length - 1] }
  }
  const single = [transaction, txData, calldata].find(isFields)
  return single ? { calls: [callOf(single, built, built)], reported: [0] } : { calls: [], reported: [] }
}

function revertOf({ simulation }: Fields): string | undefined {
  if (!isFields(simulation) || simulation.simulated !== true || simulation.success === true) return undefined
  const { revert } = simulation
  return isFields(revert) ? (textIn(revert, 'message') ?? textIn(revert, 'error')) : 'no reason was given'
}

/** What there is to sign in the data of any answer that builds something; no calls: nothing. */
export function callsOf(built: unknown): BuiltCalls {
  if (!isFields(built)) return { calls: [], reported: [], wouldRevert: undefined }
  const { calls, reported } = everyCall(built)
  const gasLimit = textIn(built, 'gasLimit')
  const last = reported.at(-1)
  const withGas = calls.map((call, at) => (gasLimit && at === last ? { ...call, gas: BigInt(gasLimit) } : call))
  const reverts = [built, ...calls.map(({ step }) => step)].map(revertOf)
  return {
    calls: withGas,
    reported,
    wouldRevert: reverts.find((one) => one !== undefined),
  }
}
