import { AppError } from '@tallystick/server/platform'
import type { DevelopmentCall, DevelopmentRoles } from '@tallystick/server/processes'
import { type Address, BaseError, type Hex } from 'viem'
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { consoleRoles } from './console-roles.ts'
import { createDemoSigning, type DemoCall } from './demo-signing.ts'
import { readWorld } from './demo-world.ts'
import { accountIndex, developmentAccount } from './development-accounts.ts'

/** What a step may take that could not be tried, since it needs those before it. */
const UNTRIED_GAS = 5_000_000n

/** Field for field the order of the custody contracts: nothing else is signed here. */
const ORDER = [
  { name: 'trader', type: 'address' },
  { name: 'token', type: 'address' },
  { name: 'quote', type: 'address' },
  { name: 'isBuy', type: 'bool' },
  { name: 'quantity', type: 'uint256' },
  { name: 'price', type: 'uint256' },
  { name: 'maxFee', type: 'uint256' },
  { name: 'expiry', type: 'uint64' },
  { name: 'nonce', type: 'uint64' },
  { name: 'salt', type: 'bytes32' },
] as const

/** The roles of the demo for the console, with their keys, which everybody knows. */
export function createDemoRoles(file: string, rpcUrl: string): DevelopmentRoles {
  const signing = createDemoSigning(rpcUrl)
  const instances = () => readWorld(file)?.instances ?? {}

  function accountOf(address: string): PrivateKeyAccount | undefined {
    const own = Object.values(instances())
      .flatMap(({ wallets }) => wallets)
      .find((wallet) => wallet.address === address)
    if (own) return privateKeyToAccount(own.privateKey as Hex)
    const { account } = developmentAccount(accountIndex.approver)
    return account.address.toLowerCase() === address ? account : undefined
  }

  async function gasOf(account: Address, call: DemoCall, isFirst: boolean): Promise<bigint> {
    try {
      const { to, data, value = 0n } = call
      const gas = await signing.client.estimateGas({ account, data, value, ...(to ? { to } : {}) })
      return (gas * 5n) / 4n
    } catch (error) {
      if (!isFirst) return UNTRIED_GAS
      const detail = error instanceof BaseError ? error.shortMessage : String(error)
      throw new AppError('TX_REVERTED', { detail: `The chain would refuse it: ${detail}`, cause: error })
    }
  }

  const asCall = ({ to, data, value }: DevelopmentCall): DemoCall => ({
    ...(to ? { to: to as Address } : {}),
    data: data as Hex,
    value: BigInt(value ?? '0'),
  })

  return {
    list: () => {
      const known = instances()
      return consoleRoles.flatMap(({ role, name, instance, account, userRole }) => {
        const found = known[instance]
        if (!found) return []
        const address = developmentAccount(accountIndex[account]).account.address.toLowerCase()
        return [{ role, name, instanceId: found.instanceId, instanceName: instance, address, userRole }]
      })
    },
    holds: (instanceId, address) =>
      Object.values(instances()).some((one) => one.instanceId === instanceId) && accountOf(address) !== undefined,
    async signOrder(address, { domain, order }) {
      const account = accountOf(address)
      if (!account) throw new AppError('USER_UNKNOWN')
      const types: Record<string, readonly { name: string; type: string }[]> = { Order: ORDER }
      const signed = { ...domain, verifyingContract: domain.verifyingContract as Address }
      const message = Object.fromEntries(
        ORDER.map(({ name, type }) => [name, type.startsWith('uint') ? BigInt(order[name] ?? 0) : order[name]]),
      )
      return account.signTypedData({ domain: signed, types, primaryType: 'Order', message })
    },
    async send(address, calls) {
      const account = accountOf(address)
      if (!account) throw new AppError('USER_UNKNOWN')
      const planned: DemoCall[] = []
      for (const [index, call] of calls.map(asCall).entries())
        planned.push({ ...call, gas: await gasOf(account.address, call, index === 0) })
      return signing.send(account, planned)
    },
  }
}
