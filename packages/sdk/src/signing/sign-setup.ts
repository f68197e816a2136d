import type { Bound } from '../method.ts'
import type { Hex, OperationShape } from '../operation.ts'
import type { CallToSign } from './built-calls.ts'
import { callsOf } from './built-calls.ts'
import { type SignOptions, sendInOrder } from './sign-and-confirm.ts'
import type { Wallet } from './wallet.ts'

/** What is to be signed before an operation can go on: carried by its refusal, as `extra.setup`. */
interface Setup {
  readonly steps: readonly { readonly key: string }[]
}

/** Signs and sends what a refusal asks for. The hashes, by the key of each step, are what the repeated request takes. */
export async function signSetup<S extends OperationShape>(
  method: Bound<S>,
  setup: Setup,
  wallets: Wallet | ((call: CallToSign) => Wallet),
  options: SignOptions = {},
): Promise<Record<string, Hex>> {
  const { calls } = callsOf(setup)
  const { hashes } = await sendInOrder(calls, wallets, method.transport.parts, options)
  return Object.fromEntries(calls.map(({ step }, at) => [String(step.key), hashes[at] ?? '0x']))
}
