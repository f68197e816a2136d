import { type Address, type Hash, type Hex, recoverTypedDataAddress } from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import type { DevelopmentCall, DevelopmentRoles } from '../src/development/index.ts'
import { AppError } from '../src/platform/app-error.ts'
import { ORDER_TYPES } from '../src/trading/signed/signed-order.rules.ts'
import type { World } from './world.ts'

type Typed = Parameters<DevelopmentRoles['signOrder']>[1]
const typedOf = ({ domain, order }: Typed) =>
  ({ domain, types: ORDER_TYPES, primaryType: 'Order', message: order }) as never

/** Signs and sends with one key on the chain of a world, as the demo does with its own. */
export function developmentWallet(
  account: PrivateKeyAccount,
  chain: () => World['chain'],
): Pick<DevelopmentRoles, 'send' | 'signOrder'> {
  async function sendOne({ to, data, value = '0' }: DevelopmentCall): Promise<Hash> {
    const call = { account, data: data as Hex, value: BigInt(value), ...(to ? { to: to as Address } : {}) }
    const { publicClient, walletClient } = chain()
    await publicClient.estimateGas(call).catch((cause: unknown) => {
      throw new AppError('TX_REVERTED', { cause })
    })
    return walletClient.sendTransaction(call)
  }
  return {
    async send(_, calls) {
      const hashes: Hash[] = []
      for (const call of calls) hashes.push(await sendOne(call))
      return hashes
    },
    signOrder: (_, typed) => account.signTypedData(typedOf(typed)),
  }
}

export const signerOf = (typed: Typed, signature: Hex): Promise<Address> =>
  recoverTypedDataAddress({ ...(typedOf(typed) as object), signature } as never)
