import {
  type Carrier,
  carryOut,
  type LendingSuite,
  planLendingSuite,
  planStockSuite,
  planTradingSuite,
  type Step,
  type StockSuite,
  type TradingSuite,
} from '@tallystick/deployer'
import { type Address, BaseError, ExecutionRevertedError, type Hex, type LocalAccount } from 'viem'
import type { ChainClients } from '../chain/test-chain.ts'
import { transact } from '../chain/transactions.ts'
import { wallet } from '../chain/wallet.ts'

export interface SuiteRequest {
  /** Default: the first dev account. */
  owner?: LocalAccount
  /** Default: the tenth dev account. */
  platformWallet?: Address
}

/** Enough for the largest creation. */
const GAS = 14_000_000n

function nothingWhenReverted(fault: unknown): { data: Hex } {
  const reverted = fault instanceof BaseError && fault.walk((cause) => cause instanceof ExecutionRevertedError) !== null
  if (!reverted) throw fault
  return { data: '0x' }
}

/** Carries plans out with the dev accounts: the owner's steps as the owner, the others as the first account. */
export function testCarrier(chain: ChainClients, owner: LocalAccount = wallet(0)): Carrier {
  const { publicClient, walletClient } = chain
  return {
    hasCode: async (address) => (await publicClient.getCode({ address })) !== undefined,
    call: async (to, data) => (await publicClient.call({ to, data }).catch(nothingWhenReverted)).data ?? '0x',
    async send(step: Step) {
      const account = step.signer === 'owner' ? owner : walletClient.account
      await transact(chain, account, { to: step.to, data: step.data, gas: GAS })
    },
  }
}

/** The lending contracts as production gets them, by the same plan. What stands on the chain already is kept. */
export async function deployLendingSuite(chain: ChainClients, request: SuiteRequest = {}): Promise<LendingSuite> {
  const owner = request.owner ?? wallet(0)
  const plan = planLendingSuite({
    owner: owner.address,
    platformWallet: request.platformWallet ?? wallet(9).address,
  })
  await carryOut(plan, testCarrier(chain, owner))
  return plan.suite
}

/** The identity registry and the stock factory, in the same way. */
export async function deployStockSuite(
  chain: ChainClients,
  { owner = wallet(0) }: Pick<SuiteRequest, 'owner'> = {},
): Promise<StockSuite> {
  const plan = planStockSuite({ owner: owner.address })
  await carryOut(plan, testCarrier(chain, owner))
  return plan.suite
}

/** Both trading vaults and the settlement between wallets. By default the first dev account is admin and operator, the tenth gets fees. */
export async function deployTradingSuite(
  chain: ChainClients,
  {
    admin = wallet(0).address,
    operator = wallet(0).address,
    feeRecipient = wallet(9).address,
  }: { admin?: Address; operator?: Address; feeRecipient?: Address } = {},
): Promise<TradingSuite> {
  const plan = planTradingSuite({ admin, operator, feeRecipient })
  await carryOut(plan, testCarrier(chain))
  return plan.suite
}
