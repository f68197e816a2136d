import { type Address, encodeAbiParameters, type Hex, keccak256, parseAbi, stringToHex } from 'viem'
import { shippedArtifact } from '../chain/artifacts.ts'
import type { ChainClients } from '../chain/test-chain.ts'
import { deploy, send } from '../chain/transactions.ts'
import type { Wallet } from '../chain/wallet.ts'

const contracts = '@onchain-id/solidity/artifacts/contracts'
const claimSignerPurpose = 3n
const ecdsa = 1n

const keyHolderAbi = parseAbi([
  'function addKey(bytes32 key, uint256 purpose, uint256 keyType) returns (bool)',
  'function addClaim(uint256 topic, uint256 scheme, address issuer, bytes signature, bytes data, string uri) returns (bytes32)',
])

export interface ClaimIssuer {
  address: Address
  signer: Wallet
}

/** The contract that all identity proxies of a chain share. */
export async function deployIdentityAuthority(chain: ChainClients): Promise<Address> {
  const implementation = await deploy(chain, {
    ...shippedArtifact(`${contracts}/Identity.sol/Identity.json`),
    args: [chain.walletClient.account.address, true],
  })
  return deploy(chain, {
    ...shippedArtifact(`${contracts}/proxy/ImplementationAuthority.sol/ImplementationAuthority.json`),
    args: [implementation],
  })
}

export async function deployClaimIssuer(chain: ChainClients, manager: Wallet, signer: Wallet): Promise<ClaimIssuer> {
  const address = await deploy(chain, {
    ...shippedArtifact(`${contracts}/ClaimIssuer.sol/ClaimIssuer.json`),
    args: [manager.address],
    account: manager,
  })
  await send(chain, {
    address,
    abi: keyHolderAbi,
    functionName: 'addKey',
    args: [keyOf(signer.address), claimSignerPurpose, ecdsa],
    account: manager,
  })
  return { address, signer }
}

/** The manager controls the identity and need not be the wallet that holds the tokens. */
export function deployIdentity(chain: ChainClients, authority: Address, manager: Wallet): Promise<Address> {
  return deploy(chain, {
    ...shippedArtifact(`${contracts}/proxy/IdentityProxy.sol/IdentityProxy.json`),
    args: [authority, manager.address],
  })
}

export async function addSignedClaim(
  chain: ChainClients,
  claim: { identity: Address; manager: Wallet; issuer: ClaimIssuer; topic: bigint },
): Promise<void> {
  const { identity, manager, issuer, topic } = claim
  const content = stringToHex('verified')
  const digest = keccak256(
    encodeAbiParameters([{ type: 'address' }, { type: 'uint256' }, { type: 'bytes' }], [identity, topic, content]),
  )
  const signature = await issuer.signer.signMessage({ message: { raw: digest } })
  await send(chain, {
    address: identity,
    abi: keyHolderAbi,
    functionName: 'addClaim',
    args: [topic, ecdsa, issuer.address, signature, content, ''],
    account: manager,
  })
}

function keyOf(address: Address): Hex {
  return keccak256(encodeAbiParameters([{ type: 'address' }], [address]))
}
