import { type Address, encodeFunctionData, erc20Abi, type Hex } from 'viem'
import { requireAddressField } from '../../platform/chain/address.ts'
import { readBounded } from '../../platform/chain/bounded-reads.ts'
import { contractRead } from '../../platform/chain/contract-read.ts'
import type { UnsignedCall } from '../../platform/chain/simulate.ts'
import { forecast, transactionOf } from '../../platform/chain/unsigned-call.ts'
import type { TenantDatabase } from '../../platform/db/database.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { classOf } from '../books/index.rules.ts'
import type { TradingParts } from '../parts.ts'
import { requireCustody } from './balances.service.ts'
import type { VaultCall } from './vault.call.ts'
import { explainVault } from './vault-reverts.ts'

export interface VaultBody {
  readonly userAddress: string
  readonly tokenAddress: string
  readonly amount?: string
  readonly commit?: boolean
  readonly txHash?: string
}

/** One thing that a trader does with the own balance in a vault. */
export interface VaultAction {
  pair(body: VaultBody): VaultCall
  readonly description: string
  /** The vault takes the tokens from the wallet: it must be allowed to. */
  readonly takesTokens?: true
}

interface VaultRequest {
  readonly tenant: TenantDatabase
  readonly caller: Caller
  readonly mountedAt: string
  readonly custodyContract: string
}

interface Step {
  readonly call: UnsignedCall
  readonly functionName: string
  readonly description: string
}

function approval(token: Address, vault: Address, amount: bigint): Step {
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [vault, amount] })
  const description = `Lets the vault take ${amount} smallest units of the token.`
  return { call: { to: token, data, value: 0n }, functionName: 'approve', description }
}

/** What traders sign themselves: the service moves nothing for them. */
export function createVault({ chains, clock, intents }: TradingParts) {
  async function build(request: VaultRequest, vault: Address, action: VaultAction, body: VaultBody) {
    const chain = chains.get(request.caller.instance.chainId)
    const { user, token } = partiesOf(body)
    const amount = body.amount === undefined ? null : BigInt(body.amount)
    const pair = action.pair(body)
    const { block, results } = await readBounded(chain, {
      allowance: contractRead(token, erc20Abi, 'allowance', [user, vault]),
    })
    const allowed = results.allowance.ok ? results.allowance.value : 0n
    const args = amount === null ? [token] : [token, amount]
    const own = {
      call: pair.prepare(vault, args),
      functionName: pair.functionName,
      description: action.description,
    }
    const isShort = action.takesTokens && amount !== null && allowed < amount
    const planned: Step[] = isShort ? [approval(token, vault, amount), own] : [own]
    const steps = planned.map(({ call, functionName, description }) => ({
      transaction: transactionOf(chain, call),
      functionName,
      description,
    }))
    const calls = planned.map(({ call }) => call)
    const data = {
      action: 'SIGN_TRANSACTIONS' as const,
      steps,
      simulation: await forecast(chain, user, calls, { clock, explain: explainVault }),
      requiredSigner: user,
      confirmWith: {
        endpoint: request.mountedAt.replace('{custodyContract}', vault),
        field: 'txHash' as const,
      },
    }
    return { data, block, calls: steps.map(({ transaction, description }) => ({ ...transaction, description })) }
  }

  async function confirm(request: VaultRequest, vault: Address, action: VaultAction, body: VaultBody, txHash: Hex) {
    const chain = chains.get(request.caller.instance.chainId)
    const { user, token } = partiesOf(body)
    const { amount } = body
    const intent = { chain, pair: action.pair(body), target: vault, kind: 'tradingVault' }
    const proof = await intents.confirm(request.tenant, intent, { user, token, amount }, txHash)
    const { requested, readyAt, amount: moved } = proof.effect
    const told = requested ?? moved
    return {
      data: {
        txHash: proof.transaction.hash,
        custodyContract: vault,
        userAddress: user,
        tokenAddress: token,
        amount: told === undefined || told === null ? null : String(told),
        ...(readyAt === undefined ? {} : { readyAt: Number(readyAt) }),
        ...(proof.verifiedBy ? { verifiedBy: proof.verifiedBy } : {}),
      },
      block: proof.transaction.block,
    }
  }

  return {
    async perform(request: VaultRequest, action: VaultAction, body: VaultBody) {
      const { tenant, caller, mountedAt } = request
      const { chainId } = caller.instance
      const vault = await requireCustody(tenant, chainId, classOf(mountedAt), request.custodyContract)
      return body.txHash === undefined
        ? build(request, vault, action, body)
        : confirm(request, vault, action, body, body.txHash as Hex)
    },
  }
}

const partiesOf = (body: VaultBody) => ({
  user: requireAddressField('userAddress', body.userAddress),
  token: requireAddressField('tokenAddress', body.tokenAddress),
})

export type Vault = ReturnType<typeof createVault>
