import { demoCashAbi, identityRegistryAbi } from '@tallystick/abi'
import { smartWallet1271Abi, smartWallet1271Bytecode } from '@tallystick/abi/testing'
import { deploy, type Wallet } from '@tallystick/testkit'
import { type Address, keccak256, maxUint256 } from 'viem'
import type { OnchainBook, OnchainWorld, OrderRequest, SignedTerms } from './onchain-world.ts'
import { callOf } from './quick-sender.ts'

/** A wallet contract (ERC-1271) with money to buy external securities. */
export interface SmartWallet {
  readonly address: Address
  signOrder(book: OnchainBook, request: OrderRequest): Promise<SignedTerms>
  /** From now on it stands by nothing that its owner signed. */
  refuseSignatures(): Promise<void>
}

const REFUSES = 1

export async function createSmartWallet(world: OnchainWorld, owner: Wallet): Promise<SmartWallet> {
  const { node, suite, tokens } = world
  const admin = world.owner.wallet
  const deployed = await deploy(node, {
    abi: smartWallet1271Abi,
    bytecode: smartWallet1271Bytecode,
    args: [owner.address],
  })
  const address = deployed.toLowerCase() as Address
  const verify = [address, keccak256(address), 1, 0n, 0n, 276]
  await world.sendRaw(admin, callOf(suite.identityRegistry, identityRegistryAbi, 'verifyIdentity', verify))
  await world.sendRaw(admin, callOf(tokens.cash, demoCashAbi, 'mint', [address, 10n ** 12n]))
  const approval = callOf(tokens.cash, demoCashAbi, 'approve', [suite.signedOrderSettlement, maxUint256])
  await world.sendRaw(owner, callOf(address, smartWallet1271Abi, 'execute', [approval.to, 0n, approval.data]))
  return {
    address,
    // The owner's key signs in the name of the contract.
    signOrder: (book, request) => world.signOrder({ ...owner, address } as Wallet, book, request),
    async refuseSignatures() {
      await world.sendRaw(owner, callOf(address, smartWallet1271Abi, 'setMode', [REFUSES]))
    },
  }
}
