import { tradingOperations } from '@tallystick/wire'
import { type Address, type ContractEventName, type ContractFunctionName, erc20Abi } from 'viem'
import { requireAddressField } from '../../platform/chain/address.ts'
import { readBounded } from '../../platform/chain/bounded-reads.ts'
import type { Chain } from '../../platform/chain/chain.ts'
import { contractRead } from '../../platform/chain/contract-read.ts'
import { type TypedCall, typedCall } from '../../platform/chain/typed-call.ts'
import { approveStep, type PlannedStep, presentSteps } from '../../platform/chain/unsigned-call.ts'
import type { TwoLegged } from '../../platform/http/legs.ts'
import type { Route } from '../../platform/http/route.ts'
import { type ConfirmCandidate, candidate, writesOf } from '../../writes/index.ts'
import { classOf } from '../books/index.rules.ts'
import { abis } from '../contracts.ts'
import type { TradingParts } from '../parts.ts'
import { requireCustody } from './balances.service.ts'
import { explainVault } from './vault-reverts.ts'

/** A trader's own balance of one token in a vault. */
interface VaultBalance {
  readonly chain: Chain
  readonly vault: Address
  readonly user: Address
  readonly token: Address
  readonly amount: bigint | null
  readonly clock: TradingParts['clock']
}

interface VaultBody {
  readonly userAddress: string
  readonly tokenAddress: string
  readonly amount?: string
}

const { provenBy } = writesOf<TwoLegged, TradingParts, VaultBalance>({
  async find({ chains, clock }, { tenant, caller, mountedAt, params, body }) {
    const { chainId } = caller.instance
    const vault = await requireCustody(tenant, chainId, classOf(mountedAt), params.custodyContract ?? '')
    const { userAddress, tokenAddress, amount } = body as unknown as VaultBody
    return {
      ...{ chain: chains.get(chainId), vault, clock },
      user: requireAddressField('userAddress', userAddress),
      token: requireAddressField('tokenAddress', tokenAddress),
      amount: amount === undefined ? null : BigInt(amount),
    }
  },
  targets: {},
  path: ({ vault }) => ({ custodyContract: vault }),
  explain: explainVault,
})

type Abi = typeof abis.tradingVault
const onVault = <F extends ContractFunctionName<Abi, 'nonpayable'>, E extends ContractEventName<Abi>>(
  functionName: F,
  eventName: E,
) => typedCall('tradingVault', abis.tradingVault, functionName, eventName)

const approval = (token: Address, vault: Address, amount: bigint) =>
  approveStep(token, vault, amount, `Lets the vault take ${amount} smallest units of the token.`)

/** What an event says of the tokens. */
interface Moved {
  readonly amount: bigint | null
  readonly readyAt?: number
}

/** What a trader does with the own balance: the service moves nothing for anybody. */
interface Action {
  /** The vault takes the tokens from the wallet: it must be allowed to. */
  readonly takesTokens: boolean
  planned(balance: VaultBalance): PlannedStep
  candidate(balance: VaultBalance): ConfirmCandidate<object>
  moved(effect: object): Moved
}

function action<Args, Fields extends object>(
  call: TypedCall<Args, Fields>,
  description: string,
  argsOf: (balance: VaultBalance) => NoInfer<Args>,
  moved: (effect: NoInfer<Fields>) => Moved,
  takesTokens = false,
): Action {
  const compared = {
    ...call,
    isCallFor: ([, given]: readonly unknown[], { amount }: Expected) => amount === null || given === amount,
    // Some events tell the sum after the call instead of what it added.
    isFor: (effect: Fields, { amount, ...expected }: Expected) =>
      Object.entries(amount === null ? expected : { ...expected, amount }).every(
        ([name, value]) => !(name in effect) || effect[name as keyof Fields] === value,
      ),
  }
  return {
    takesTokens,
    planned: (balance) => ({
      call: call.prepare(balance.vault, argsOf(balance)),
      functionName: call.functionName,
      description,
    }),
    candidate: ({ user, token, amount }) => candidate(compared, { user, token, amount }),
    // The candidate decoded it from the event of the same call.
    moved: (effect) => moved(effect as Fields),
  }
}

type Expected = Pick<VaultBalance, 'user' | 'token' | 'amount'>
const amounts = ({ token, amount }: VaultBalance) => ({ token, amount: amount ?? 0n })
const BRING = 'Brings tokens into the vault.'

const actions = {
  deposit: action(onVault('deposit', 'Deposited'), BRING, amounts, ({ amount }) => ({ amount }), true),
  depositAndCommit: action(
    onVault('depositAndCommit', 'Committed'),
    BRING,
    amounts,
    ({ amount }) => ({ amount }),
    true,
  ),
  commit: action(
    onVault('commit', 'Committed'),
    'Commits free balance, so that it can back orders.',
    amounts,
    ({ amount }) => ({ amount }),
  ),
  requestWithdrawal: action(
    onVault('requestWithdrawal', 'WithdrawalRequested'),
    'Asks committed balance back, which is free after one day.',
    amounts,
    ({ requested, readyAt }) => ({ amount: requested, readyAt: Number(readyAt) }),
  ),
  cancelWithdrawal: action(
    onVault('cancelWithdrawalRequest', 'WithdrawalRequestCancelled'),
    'Keeps committed what was asked back.',
    ({ token }) => ({ token }),
    () => ({ amount: null }),
  ),
  withdraw: action(onVault('withdraw', 'Withdrawn'), 'Takes free balance out of the vault.', amounts, ({ amount }) => ({
    amount,
  })),
}

type Body = { readonly userAddress: string; readonly commit?: boolean }

/** What is alike for all of them; which action it is, the body may decide. */
const doing = (choose: (body: Body) => Action) => ({
  async build(request: VaultBalance & { readonly mountedAt: string; readonly body: Body }) {
    const { chain, vault, user, token, amount, clock, mountedAt, body } = request
    const { planned, takesTokens } = choose(body)
    const { block, results } = await readBounded(chain, {
      allowance: contractRead(token, erc20Abi, 'allowance', [user, vault]),
    })
    const allowed = results.allowance.ok ? results.allowance.value : 0n
    const isShort = takesTokens && amount !== null && allowed < amount
    const steps = [...(isShort ? [approval(token, vault, amount)] : []), planned(request)]
    const { built, calls } = await presentSteps(chain, steps, user, { clock, explain: explainVault })
    const whole = {
      ...built,
      steps: built.steps.map(({ action: _, ...step }) => step),
      requiredSigner: user,
      confirmWith: { endpoint: mountedAt.replace('{custodyContract}', vault), field: 'txHash' as const },
    }
    return { block, whole, calls }
  },
  evidence: (request: VaultBalance & { readonly body: Body }) => ({
    target: request.vault,
    kind: 'tradingVault',
    candidates: [choose(request.body).candidate(request)],
  }),
  proven(
    { effect }: { readonly effect: object },
    { vault, user, token, body }: VaultBalance & { readonly body: Body },
  ) {
    const { amount, ...beside } = choose(body).moved(effect)
    const about = { custodyContract: vault, userAddress: user, tokenAddress: token }
    return { ...about, amount: amount?.toString() ?? null, ...beside }
  },
})

/** Every call of a trader on a vault. */
const writes = [
  provenBy(
    tradingOperations.depositToCustody,
    doing(({ commit }) => (commit ? actions.depositAndCommit : actions.deposit)),
  ),
  provenBy(
    tradingOperations.commitInCustody,
    doing(() => actions.commit),
  ),
  provenBy(
    tradingOperations.requestCustodyWithdrawal,
    doing(() => actions.requestWithdrawal),
  ),
  provenBy(
    tradingOperations.cancelCustodyWithdrawal,
    doing(() => actions.cancelWithdrawal),
  ),
  provenBy(
    tradingOperations.withdrawFromCustody,
    doing(() => actions.withdraw),
  ),
]

export const vaultRoutes = (parts: TradingParts): Route[] => writes.map((write) => write(parts))
