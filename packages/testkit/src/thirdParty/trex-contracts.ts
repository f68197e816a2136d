import { type Address, zeroAddress } from 'viem'
import { shippedArtifact } from '../chain/artifacts.ts'
import type { ChainClients } from '../chain/test-chain.ts'
import { deploy, send } from '../chain/transactions.ts'

export interface TrexContracts {
  token: Address
  identityRegistry: Address
  identityRegistryStorage: Address
  trustedIssuersRegistry: Address
  claimTopicsRegistry: Address
  compliance: Address
}

export interface TrexTokenDetails {
  name: string
  symbol: string
  decimals: number
}

const implementationPaths = {
  tokenImplementation: 'token/Token',
  ctrImplementation: 'registry/implementation/ClaimTopicsRegistry',
  irImplementation: 'registry/implementation/IdentityRegistry',
  irsImplementation: 'registry/implementation/IdentityRegistryStorage',
  tirImplementation: 'registry/implementation/TrustedIssuersRegistry',
  mcImplementation: 'compliance/modular/ModularCompliance',
}

/** Every contract of the suite as a proxy, the way it is deployed in production. */
export async function deployTrexContracts(chain: ChainClients, details: TrexTokenDetails): Promise<TrexContracts> {
  const create = (path: string, args: readonly unknown[] = []) => deploy(chain, { ...trexArtifact(path), args })
  const authority = await deployAuthority(chain)
  const trustedIssuersRegistry = await create('proxy/TrustedIssuersRegistryProxy', [authority])
  const claimTopicsRegistry = await create('proxy/ClaimTopicsRegistryProxy', [authority])
  const identityRegistryStorage = await create('proxy/IdentityRegistryStorageProxy', [authority])
  const identityRegistry = await create('proxy/IdentityRegistryProxy', [
    authority,
    trustedIssuersRegistry,
    claimTopicsRegistry,
    identityRegistryStorage,
  ])
  const compliance = await create('proxy/ModularComplianceProxy', [authority])
  const { name, symbol, decimals } = details
  const token = await create('proxy/TokenProxy', [
    authority,
    identityRegistry,
    compliance,
    name,
    symbol,
    decimals,
    zeroAddress,
  ])
  return { token, identityRegistry, identityRegistryStorage, trustedIssuersRegistry, claimTopicsRegistry, compliance }
}

async function deployAuthority(chain: ChainClients): Promise<Address> {
  const implementations: Record<string, Address> = {}
  for (const [role, path] of Object.entries(implementationPaths)) {
    implementations[role] = await deploy(chain, trexArtifact(path))
  }
  const artifact = trexArtifact('proxy/authority/TREXImplementationAuthority')
  const address = await deploy(chain, { ...artifact, args: [true, zeroAddress, zeroAddress] })
  await send(chain, {
    address,
    abi: artifact.abi,
    functionName: 'addAndUseTREXVersion',
    args: [{ major: 4, minor: 1, patch: 6 }, implementations],
  })
  return address
}

function trexArtifact(path: string) {
  const contract = path.split('/').at(-1)
  return shippedArtifact(`@tokenysolutions/t-rex/artifacts/contracts/${path}.sol/${contract}.json`)
}
