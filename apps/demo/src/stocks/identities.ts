import { identityRegistryAbi } from '@tallystick/abi'
import { type Address, encodeFunctionData, type Hex, keccak256, stringToHex } from 'viem'
import type { DemoCall } from '../demo-signing.ts'
import { identityPlans } from './identity-plan.ts'
import { accountOf, addressOf, type Person, type StocksStage } from './stocks-stage.ts'

export const IDENTITY = '/customers/api/identity'
/** As the registry names whom it appointed. */
const PLATFORM = 'Issuer platform'

/** No person has any data here: only hashes, the same in every world. */
export const hashOf = (...words: readonly string[]): Hex => keccak256(stringToHex(['demo', ...words].join(' ')))

interface DemoIdentity {
  readonly onChain: { readonly status: string; readonly frozen: boolean }
  readonly offChain: object | null
}

export const identityOf = ({ call }: StocksStage, person: Person): Promise<DemoIdentity> =>
  call<DemoIdentity>('GET', `${IDENTITY}/status/${addressOf(person)}`)

const abi = identityRegistryAbi
/** There is no route for what the administrator and the compliance officer of the registry do. */
const toRegistry = ({ world }: StocksStage, data: Hex): DemoCall => ({
  ...{ to: world.contracts.IdentityRegistry as Address, data },
})

/** The issuer platform examines investors, keeps the register, and may stop wallets. */
export function appointments(stage: StocksStage): DemoCall[] {
  const issuer = addressOf('issuer')
  return [
    encodeFunctionData({ abi, functionName: 'addKYCProvider', args: [issuer, PLATFORM] }),
    encodeFunctionData({ abi, functionName: 'addRegisterOperator', args: [issuer, PLATFORM] }),
    encodeFunctionData({ abi, functionName: 'addComplianceOfficer', args: [issuer] }),
  ].map((data) => toRegistry(stage, data))
}

/** Everybody is verified in one transaction: `one` who is known means that all are. */
export async function ensureVerified(stage: StocksStage, one: DemoIdentity): Promise<void> {
  const path = `${IDENTITY}/batch-verify`
  const entries = identityPlans.map(({ person, ...about }) => ({
    ...{ walletAddress: addressOf(person), ...about, kycHash: hashOf('dossier of', person) },
  }))
  if (!isKnown(one)) return stage.writeAll(accountOf('issuer'), [{ path, body: { entries } }])
  if (one.offChain) return
  // An earlier start was killed between the transaction and its confirmation.
  const address = stage.world.contracts.IdentityRegistry as Address
  const [event] = await stage.client.getContractEvents({ address, abi, eventName: 'BatchVerified', fromBlock: 0n })
  await stage.call('POST', path, { entries, txHash: event?.transactionHash })
}

export const isKnown = ({ onChain }: DemoIdentity): boolean => onChain.status !== 'none'

/** Stops one investor in every token that asks the registry. */
export async function ensureFrozenWallet(stage: StocksStage): Promise<void> {
  if ((await identityOf(stage, 'frozenInvestor')).onChain.frozen) return
  const data = encodeFunctionData({ abi, functionName: 'freezeAddress', args: [addressOf('frozenInvestor')] })
  await stage.sendAll(accountOf('issuer'), [toRegistry(stage, data)])
}
