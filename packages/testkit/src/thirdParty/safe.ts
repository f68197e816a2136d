import {
  type Address,
  concat,
  encodeFunctionData,
  type Hex,
  isAddressEqual,
  parseAbi,
  parseEventLogs,
  type TransactionReceipt,
  zeroAddress,
} from 'viem'
import { shippedArtifact } from '../chain/artifacts.ts'
import type { ChainClients } from '../chain/test-chain.ts'
import { deploy, send } from '../chain/transactions.ts'
import type { Wallet } from '../chain/wallet.ts'

export const safeAbi = parseAbi([
  'event ExecutionSuccess(bytes32 indexed txHash, uint256 payment)',
  'event ExecutionFailure(bytes32 indexed txHash, uint256 payment)',
  'function setup(address[] owners, uint256 threshold, address to, bytes data, address fallbackHandler, address paymentToken, uint256 payment, address paymentReceiver)',
  'function nonce() view returns (uint256)',
  'function VERSION() view returns (string)',
  'function execTransaction(address to, uint256 value, bytes data, uint8 operation, uint256 safeTxGas, uint256 baseGas, uint256 gasPrice, address gasToken, address refundReceiver, bytes signatures) payable returns (bool)',
])

const factoryAbi = parseAbi([
  'event ProxyCreation(address indexed proxy, address singleton)',
  'function createProxyWithNonce(address singleton, bytes initializer, uint256 saltNonce) returns (address)',
])

const safeTransactionTypes = {
  SafeTx: [
    { name: 'to', type: 'address' },
    { name: 'value', type: 'uint256' },
    { name: 'data', type: 'bytes' },
    { name: 'operation', type: 'uint8' },
    { name: 'safeTxGas', type: 'uint256' },
    { name: 'baseGas', type: 'uint256' },
    { name: 'gasPrice', type: 'uint256' },
    { name: 'gasToken', type: 'address' },
    { name: 'refundReceiver', type: 'address' },
    { name: 'nonce', type: 'uint256' },
  ],
} as const

export interface InnerCall {
  to: Address
  data: Hex
  value?: bigint
}

export interface InnerOutcome {
  receipt: TransactionReceipt
  innerSucceeded: boolean
}

export interface Safe {
  address: Address
  owners: Wallet[]
  /** `failInner` lets the call fail inside a transaction that succeeds: it asks for ether that the Safe lacks. */
  execThroughSafe(call: InnerCall, options?: { failInner?: boolean }): Promise<InnerOutcome>
}

/** A Safe whose transactions all its owners sign; the first dev account sends them. */
export async function deploySafe(chain: ChainClients, owners: Wallet[]): Promise<Safe> {
  const address = await createSafe(chain, owners)

  async function execThroughSafe(call: InnerCall, { failInner = false } = {}): Promise<InnerOutcome> {
    const missing = failInner ? (await chain.publicClient.getBalance({ address })) + 1n : undefined
    const transaction = {
      to: call.to,
      value: missing ?? call.value ?? 0n,
      data: call.data,
      operation: 0,
      // Anything but 0 makes a failing call an event of a successful transaction.
      safeTxGas: 1n,
      baseGas: 0n,
      gasPrice: 0n,
      gasToken: zeroAddress,
      refundReceiver: zeroAddress,
    }
    const nonce = await chain.publicClient.readContract({ address, abi: safeAbi, functionName: 'nonce' })
    const signatures = await sign({ ...transaction, nonce })
    const receipt = await send(chain, {
      address,
      abi: safeAbi,
      functionName: 'execTransaction',
      args: [...Object.values(transaction), signatures],
      gas: 5_000_000n,
    })
    const succeeded = parseEventLogs({ abi: safeAbi, eventName: 'ExecutionSuccess', logs: receipt.logs })
    return { receipt, innerSucceeded: succeeded.some((log) => isAddressEqual(log.address, address)) }
  }

  /** The contract wants the signatures in the order of their signers' addresses. */
  async function sign(message: Parameters<typeof typedSafeTransaction>[2]): Promise<Hex> {
    const signers = [...owners].sort((left, right) => (BigInt(left.address) < BigInt(right.address) ? -1 : 1))
    const typed = typedSafeTransaction(chain.chainId, address, message)
    return concat(await Promise.all(signers.map((signer) => signer.signTypedData(typed))))
  }

  return { address, owners, execThroughSafe }
}

function typedSafeTransaction(
  chainId: number,
  verifyingContract: Address,
  message: {
    to: Address
    value: bigint
    data: Hex
    operation: number
    safeTxGas: bigint
    baseGas: bigint
    gasPrice: bigint
    gasToken: Address
    refundReceiver: Address
    nonce: bigint
  },
) {
  return {
    domain: { chainId, verifyingContract },
    types: safeTransactionTypes,
    primaryType: 'SafeTx',
    message,
  } as const
}

async function createSafe(chain: ChainClients, owners: Wallet[]): Promise<Address> {
  const contracts = '@safe-global/safe-contracts/build/artifacts/contracts'
  const singleton = await deploy(chain, shippedArtifact(`${contracts}/Safe.sol/Safe.json`))
  const factory = await deploy(
    chain,
    shippedArtifact(`${contracts}/proxies/SafeProxyFactory.sol/SafeProxyFactory.json`),
  )
  const addresses = owners.map(({ address }) => address)
  const initializer = encodeFunctionData({
    abi: safeAbi,
    functionName: 'setup',
    args: [addresses, BigInt(owners.length), zeroAddress, '0x', zeroAddress, zeroAddress, 0n, zeroAddress],
  })
  const receipt = await send(chain, {
    address: factory,
    abi: factoryAbi,
    functionName: 'createProxyWithNonce',
    args: [singleton, initializer, 0n],
  })
  const [created] = parseEventLogs({ abi: factoryAbi, eventName: 'ProxyCreation', logs: receipt.logs })
  if (!created) throw new Error('The factory created no Safe')
  return created.args.proxy
}
