import type { BodyOf, lendingOperations } from '@tallystick/wire'
import { type Address, type Hex, isAddressEqual } from 'viem'
import { AppError } from '../../platform/app-error.ts'
import type { Chain } from '../../platform/chain/chain.ts'
import { decodeCall } from '../../platform/chain/selectors.ts'
import { type MinedTransaction, readTransaction } from '../../platform/chain/transaction.ts'
import type { MarketCall } from '../core/index.ts'
import type { LendingParts } from '../parts.ts'
import { configurationStatus } from './configuration-status.rules.ts'
import { actionCalls } from './configure.call.ts'
import { requireAction } from './configure.service.ts'
import { isTaskOf } from './configure-action.rules.ts'
import { configurationCall } from './setup.service.ts'
import { type SetupTask, setupTasks } from './setup-tasks.rules.ts'
import { findForSetup, type ReadSetupView } from './setup-view.service.ts'

type ConfirmBody = BodyOf<typeof lendingOperations.confirmConfiguration>

interface Proof {
  readonly action: SetupTask['action']
  readonly txHash: Hex
  readonly verifiedBy?: 'receipt-log'
}

async function requireMined(chain: Chain, txHash: Hex): Promise<MinedTransaction> {
  const transaction = await readTransaction(chain, txHash.toLowerCase() as Hex)
  if (!transaction) throw new AppError('TX_NOT_FOUND')
  if (!transaction.succeeded) throw new AppError('TX_REVERTED')
  return transaction
}

const isAbout = (transaction: MinedTransaction, { target }: SetupTask): boolean =>
  target !== null &&
  ((transaction.to !== null && isAddressEqual(transaction.to, target)) ||
    transaction.logs.some(({ address }) => isAddressEqual(address, target)))

/** An event of the target that mentions the subject anywhere: whose events they are decides what else they say. */
function isNamedBy(transaction: MinedTransaction, target: Address, subject: Address): boolean {
  const word = subject.slice(2)
  const own = transaction.logs.filter(({ address }) => isAddressEqual(address, target))
  return own.some(({ topics, data }) => topics.some((topic) => topic.endsWith(word)) || data.includes(word))
}

/**
 * The calls of a contract that is not ours are proven by what it says afterwards. A direct call has to be the right one as well; of a
 * wrapped one at least an event has to tell.
 */
function proveForeign(task: SetupTask, transaction: MinedTransaction): Proof {
  const { action, target, subject } = task
  if (!target || !subject) throw new AppError('TX_NOT_VERIFIED')
  const isDirect = transaction.to !== null && isAddressEqual(transaction.to, target)
  if (isDirect) {
    const args = actionCalls[action].calls.map(({ abi, functionName }) => {
      try {
        const call = decodeCall(abi, transaction.input)
        return call.functionName === functionName ? (call.args ?? []) : null
      } catch {
        return null
      }
    })
    const made = actionCalls[action].calls.find((_, index) => args[index])
    if (!made) throw new AppError('TX_WRONG_FUNCTION')
    if (!made.isCallFor(args.find((one) => one) ?? [], { subject })) throw new AppError('TX_NOT_VERIFIED')
  }
  if (!isDirect && !isNamedBy(transaction, target, subject)) throw new AppError('TX_NOT_VERIFIED')
  if (!task.done)
    throw new AppError('TX_NOT_VERIFIED', {
      detail: 'The transaction succeeded, but the token does not show the effect.',
    })
  return { action, txHash: transaction.hash, ...(isDirect ? {} : { verifiedBy: 'receipt-log' as const }) }
}

/**
 * Takes a configuring transaction down, and tells how the market stands after it. It may be asked without a transaction, and foreign
 * contracts are proven by their state: the kit proves events only.
 */
export function createConfirmConfiguration({ chains, writes }: LendingParts, read: ReadSetupView) {
  async function prove({ tenant }: MarketCall, chain: Chain, task: SetupTask, transaction: MinedTransaction) {
    const { action, target, subject } = task
    const { kind, calls } = actionCalls[action]
    if (!kind || !target || !subject) return proveForeign(task, transaction)
    const intent = { chain, pair: calls[0], target, kind }
    const { verifiedBy } = await writes.confirm(tenant, intent, { subject }, transaction.hash)
    return { action, txHash: transaction.hash, ...(verifiedBy ? { verifiedBy } : {}) }
  }

  /** Whichever of the tasks the transaction did. */
  async function proveAny(call: MarketCall, chain: Chain, tasks: readonly SetupTask[], transaction: MinedTransaction) {
    let refusal = new AppError('TX_WRONG_TARGET')
    for (const task of tasks.filter((one) => isAbout(transaction, one))) {
      try {
        return await prove(call, chain, task, transaction)
      } catch (error) {
        if (!(error instanceof AppError)) throw error
        refusal = error
      }
    }
    throw refusal
  }

  return async function confirm(call: MarketCall, marketId: string, { txHash, action: name }: ConfirmBody) {
    const record = await findForSetup(call, marketId)
    const { chainId } = record.market
    const action = name === undefined ? undefined : requireAction(name)
    const chain = chains.get(chainId)
    const transaction = txHash ? await requireMined(chain, txHash as Hex) : undefined
    // After the transaction was found: the state shows its effect, if it had one.
    const { block, view } = await read(record)
    const tasks = setupTasks(view).filter(action === undefined ? () => true : isTaskOf(action))
    const proof = transaction && (await proveAny(call, chain, tasks, transaction))
    const status = configurationStatus(view, configurationCall(chainId))
    const data = {
      fullyConfigured: status.fullyConfigured,
      collateralAuthStatus: status.collateralAuthStatus,
      routerHolderAuthorized: status.routerHolderAuthorized,
      oracleSignerAuthorized: status.oracleSignerAuthorized,
      liquidatorRoleGranted: status.liquidatorRoleGranted,
      pendingCurator: status.pendingCurator,
      configurationStatus: status,
      ...(proof ?? (action === undefined ? {} : { action })),
    }
    return { data, block }
  }
}

export type ConfirmConfiguration = ReturnType<typeof createConfirmConfiguration>
