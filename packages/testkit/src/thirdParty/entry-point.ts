import {
  type Address,
  concat,
  encodeFunctionData,
  type Hex,
  pad,
  parseAbi,
  parseEther,
  parseEventLogs,
  type TransactionReceipt,
  toHex,
} from 'viem'
import { shippedArtifact } from '../chain/artifacts.ts'
import type { ChainClients } from '../chain/test-chain.ts'
import { deploy, send } from '../chain/transactions.ts'
import type { Wallet } from '../chain/wallet.ts'
import type { InnerCall, InnerOutcome } from './safe.ts'

export const entryPointAbi = parseAbi([
  'struct PackedUserOperation { address sender; uint256 nonce; bytes initCode; bytes callData; bytes32 accountGasLimits; uint256 preVerificationGas; bytes32 gasFees; bytes paymasterAndData; bytes signature; }',
  'event UserOperationEvent(bytes32 indexed userOpHash, address indexed sender, address indexed paymaster, uint256 nonce, bool success, uint256 actualGasCost, uint256 actualGasUsed)',
  'function handleOps(PackedUserOperation[] ops, address beneficiary)',
  'function getUserOpHash(PackedUserOperation userOp) view returns (bytes32)',
  'function getNonce(address sender, uint192 key) view returns (uint256)',
  'function depositTo(address account) payable',
])

const accountAbi = parseAbi(['function execute(address target, uint256 value, bytes data)'])
const factoryAbi = parseAbi([
  'function createAccount(address owner, uint256 salt) returns (address)',
  'function getAddress(address owner, uint256 salt) view returns (address)',
])

export interface SmartAccount {
  address: Address
  owner: Wallet
  /** `failInner` lets the call fail inside a transaction that succeeds: it asks for ether that the account lacks. */
  execThroughAccount(call: InnerCall, options?: { failInner?: boolean }): Promise<InnerOutcome & { userOpHash: Hex }>
  /** The same, signed and not sent: for a bundle. */
  signOperation(call: InnerCall, options?: { failInner?: boolean }): Promise<SignedOperation>
}

export interface SignedOperation {
  readonly operation: Readonly<Record<string, unknown>>
  readonly userOpHash: Hex
}

export interface EntryPoint {
  address: Address
  factory: Address
  /** The account itself comes into being with its first operation. */
  createAccount(owner: Wallet, salt?: bigint): Promise<SmartAccount>
  /** Operations of several accounts in one transaction, as a bundler sends them. */
  bundle(signed: readonly SignedOperation[]): Promise<{ receipt: TransactionReceipt; succeeded: boolean[] }>
}

/** The ERC-4337 entry point; the first dev account acts as bundler. */
export async function deployEntryPoint(chain: ChainClients): Promise<EntryPoint> {
  const artifacts = '@account-abstraction/contracts/artifacts'
  const entryPoint = await deploy(chain, shippedArtifact(`${artifacts}/EntryPoint.json`))
  const factory = await deploy(chain, {
    ...shippedArtifact(`${artifacts}/SimpleAccountFactory.json`),
    args: [entryPoint],
  })
  const onEntryPoint = { address: entryPoint, abi: entryPointAbi } as const

  async function bundle(signed: readonly SignedOperation[]) {
    const beneficiary = chain.walletClient.account.address
    const args = [signed.map(({ operation }) => operation), beneficiary]
    const receipt = await send(chain, { ...onEntryPoint, functionName: 'handleOps', args })
    const outcomes = parseEventLogs({ abi: entryPointAbi, eventName: 'UserOperationEvent', logs: receipt.logs })
    return { receipt, succeeded: outcomes.map(({ args: { success } }) => success) }
  }

  async function createAccount(owner: Wallet, salt = 0n): Promise<SmartAccount> {
    const args = [owner.address, salt] as const
    const address = await chain.publicClient.readContract({
      address: factory,
      abi: factoryAbi,
      functionName: 'getAddress',
      args,
    })
    await send(chain, { ...onEntryPoint, functionName: 'depositTo', args: [address], value: parseEther('10') })
    const creation = concat([factory, encodeFunctionData({ abi: factoryAbi, functionName: 'createAccount', args })])

    async function signOperation(call: InnerCall, { failInner = false } = {}): Promise<SignedOperation> {
      const missing = failInner ? (await chain.publicClient.getBalance({ address })) + 1n : undefined
      const unsigned = {
        sender: address,
        nonce: await chain.publicClient.readContract({
          ...onEntryPoint,
          functionName: 'getNonce',
          args: [address, 0n],
        }),
        initCode: (await chain.publicClient.getCode({ address })) ? '0x' : creation,
        callData: encodeFunctionData({
          abi: accountAbi,
          functionName: 'execute',
          args: [call.to, missing ?? call.value ?? 0n, call.data],
        }),
        accountGasLimits: twoHalves(1_000_000n, 2_000_000n),
        preVerificationGas: 100_000n,
        gasFees: twoHalves(1_000_000_000n, 10_000_000_000n),
        paymasterAndData: '0x',
        signature: '0x',
      } as const
      const userOpHash = await chain.publicClient.readContract({
        ...onEntryPoint,
        functionName: 'getUserOpHash',
        args: [unsigned],
      })
      return { operation: { ...unsigned, signature: await owner.sign({ hash: userOpHash }) }, userOpHash }
    }

    async function execThroughAccount(call: InnerCall, options?: { failInner?: boolean }) {
      const signed = await signOperation(call, options)
      const { receipt, succeeded } = await bundle([signed])
      return { receipt, userOpHash: signed.userOpHash, innerSucceeded: succeeded[0] ?? false }
    }

    return { address, owner, execThroughAccount, signOperation }
  }

  return { address: entryPoint, factory, createAccount, bundle }
}

/** Two 128-bit numbers in one word, as the packed form of an operation wants them. */
function twoHalves(high: bigint, low: bigint): Hex {
  return concat([pad(toHex(high), { size: 16 }), pad(toHex(low), { size: 16 })])
}
