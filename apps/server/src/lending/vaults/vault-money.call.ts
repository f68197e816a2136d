import { type Address, zeroAddress } from 'viem'
import { contractCall } from '../../platform/chain/contract-call.ts'
import { abis } from '../contracts.ts'

type Nothing = Record<string, never>

const ofVault = <A, X>(
  functionName: string,
  eventName: string,
  args: (given: A) => readonly unknown[],
  isFor: (effect: Readonly<Record<string, unknown>>, expected: X) => boolean = () => true,
) => contractCall<A, X>({ kind: 'vault', abi: abis.vault, functionName, eventName, args, isFor })

/** Without a distributor the zero address is named. */
export const depositCall = ofVault<{ amount: bigint; distributor: Address | null }, Nothing>(
  'deposit',
  'Deposited',
  ({ amount, distributor }) => [amount, distributor ?? zeroAddress],
)
export const redeemCall = ofVault<{ shares: bigint }, Nothing>('redeem', 'Redeemed', ({ shares }) => [shares])
