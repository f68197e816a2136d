import {
  type Address,
  decodeFunctionResult,
  encodeFunctionData,
  type Hex,
  hexToBigInt,
  parseAbi,
  zeroAddress,
} from 'viem'
import { DEPLOYMENT_PROXY } from './creation.ts'
import { kindId, servingAbi } from './implementations.ts'
import { type Plan, PlanError, type ServedKind, type Step } from './plan.ts'

/** A chain as far as a plan looks at it. */
export interface ChainView {
  hasCode(address: Address): Promise<boolean>
  /** What a call of a view answers at the latest block; '0x' where nothing stands or the call reverts. */
  call(to: Address, data: Hex): Promise<Hex>
}

export interface Carrier extends ChainView {
  /** Signs as who the step says, sends, and waits until it is mined. */
  send(step: Step): Promise<void>
}

const LOOKS = 10
const BETWEEN_LOOKS_MS = 200

const versionAbi = parseAbi([
  'function implementationVersion() view returns (uint256)',
  'function version() view returns (uint256)',
])

/** Null: nothing that tells its version stands there. */
export async function readVersion(chain: ChainView, implementation: Address): Promise<bigint | null> {
  // `version` is a string in a token of ERC-3643, which therefore tells its own under the other name.
  for (const functionName of ['version', 'implementationVersion'] as const) {
    const answer = await chain.call(implementation, encodeFunctionData({ abi: versionAbi, functionName }))
    if (answer.length === 66) return hexToBigInt(answer)
  }
  return null
}

/** The implementation that new proxies of a kind get; null: none yet, or no factory. */
export async function readServed(chain: ChainView, factory: Address, kind: ServedKind): Promise<Address | null> {
  const question = { abi: servingAbi, functionName: 'servedImplementation' } as const
  const data = await chain.call(factory, encodeFunctionData({ ...question, args: [kindId(kind)] }))
  if (data.length !== 66) return null
  const served = decodeFunctionResult({ ...question, data })
  return served === zeroAddress ? null : (served.toLowerCase() as Address)
}

async function isServed(chain: ChainView, factory: Address, { kind, implementation }: NonNullable<Step['serves']>) {
  const served = await readServed(chain, factory, kind)
  if (served === null || served === implementation) return served !== null
  const [there, planned] = await Promise.all([readVersion(chain, served), readVersion(chain, implementation)])
  // Markets move forward only; serving an older implementation would leave new ones behind those that stand.
  if (there !== null && planned !== null && there > planned)
    throw new PlanError(
      `The factory ${factory} serves version ${there} of its ${kind} already, this release has version ${planned}.`,
    )
  return false
}

async function isDone(chain: ChainView, step: Step): Promise<boolean> {
  if (step.creates !== null) return chain.hasCode(step.creates)
  return step.serves !== null && isServed(chain, step.to, step.serves)
}

/** The steps whose effect the chain does not show yet, in order. */
export async function missingSteps(plan: Pick<Plan, 'steps'>, chain: ChainView): Promise<Step[]> {
  if (!(await chain.hasCode(DEPLOYMENT_PROXY)))
    throw new PlanError(`This chain has no deterministic deployment proxy at ${DEPLOYMENT_PROXY}.`)
  const done = await Promise.all(plan.steps.map((step) => isDone(chain, step)))
  return plan.steps.filter((_, index) => !done[index])
}

/** Somebody else may be doing the same step: ours then fails as soon as theirs is on its way, and nothing is amiss. */
async function isDoneSoon(chain: ChainView, step: Step): Promise<boolean> {
  for (let look = 1; look < LOOKS; look += 1) {
    if (await isDone(chain, step)) return true
    await new Promise((resolve) => setTimeout(resolve, BETWEEN_LOOKS_MS))
  }
  return isDone(chain, step)
}

/** Leaves alone what stands already, so that a run that was killed goes on where it ended. */
export async function carryOut(plan: Pick<Plan, 'steps'>, chain: Carrier): Promise<void> {
  for (const step of await missingSteps(plan, chain)) {
    let fault: unknown
    await chain.send(step).catch((cause: unknown) => {
      fault = cause
    })
    if (!(await isDoneSoon(chain, step)))
      throw new PlanError(`This step had no effect: ${step.description}`, { cause: fault })
  }
}
