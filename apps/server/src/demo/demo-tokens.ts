import {
  demoCashAbi,
  demoCashBytecode,
  demoCertificateAbi,
  demoCertificateBytecode,
  demoComplianceAbi,
  demoComplianceBytecode,
  demoIdentityRegistryAbi,
  demoIdentityRegistryBytecode,
  demoSecurityAbi,
  demoSecurityBytecode,
  demoVaultBarAbi,
  demoVaultBarBytecode,
  partitionedShareAbi,
  partitionedShareBytecode,
} from '@tallystick/abi'
import type { AssetType } from '@tallystick/wire'
import { type Abi, type Address, createPublicClient, createWalletClient, type Hex, http, pad, stringToHex } from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import { foundry } from 'viem/chains'

export interface DemoToken {
  readonly symbol: string
  readonly assetType: AssetType
  readonly profile: Record<string, unknown> | null
}

/** One token per framework, with what their issuers publish about them. */
export const demoTokens: readonly DemoToken[] = [
  {
    symbol: 'NORD',
    assetType: 'BOND',
    profile: {
      issuerName: 'Nordlicht Windpark GmbH',
      jurisdiction: 'DE',
      sector: 'Renewable energy',
      isin: 'DE000A1EWWW0',
      website: 'https://nordlicht.example',
      prospectusURI: 'https://nordlicht.example/prospectus-2030.pdf',
      documents: [{ name: 'Terms of the note', uri: 'https://nordlicht.example/terms-2030.pdf' }],
    },
  },
  {
    symbol: 'ALPN',
    assetType: 'PRIVATE_EQUITY',
    profile: { issuerName: 'Alpine Uhren AG', jurisdiction: 'CH', sector: 'Watchmaking' },
  },
  { symbol: 'ATEL', assetType: 'ART', profile: null },
  {
    symbol: 'BARS',
    assetType: 'COMMODITY',
    profile: { issuerName: 'Tresor Depot SA', jurisdiction: 'LU', sector: 'Precious metals' },
  },
  { symbol: 'dEUR', assetType: 'CRYPTO_ASSET', profile: null },
]

interface Deployment {
  readonly addresses: Record<string, Address>
  readonly contracts: Record<string, Address>
}

/** Deploys the demo's tokens and hands some to each holder. From a fresh chain the same addresses come out every time. */
export async function deployDemoTokens(
  rpcUrl: string,
  issuer: PrivateKeyAccount,
  holders: readonly Address[],
): Promise<Deployment> {
  const wallet = createWalletClient({ account: issuer, chain: foundry, transport: http(rpcUrl) })
  const client = createPublicClient({ chain: foundry, transport: http(rpcUrl), pollingInterval: 50 })

  async function mined(hash: Hex) {
    const receipt = await client.waitForTransactionReceipt({ hash })
    if (receipt.status !== 'success') throw new Error(`a transaction of the demo failed: ${hash}`)
    return receipt
  }
  async function deploy(abi: Abi, bytecode: Hex, args: readonly unknown[]): Promise<Address> {
    const { contractAddress } = await mined(await wallet.deployContract({ abi, bytecode, args }))
    if (!contractAddress) throw new Error('a demo contract was not created')
    return contractAddress.toLowerCase() as Address
  }
  const send = async (address: Address, abi: Abi, functionName: string, args: readonly unknown[]) =>
    mined(await wallet.writeContract({ address, abi, functionName, args }))

  const owner = issuer.address
  const registry = await deploy(demoIdentityRegistryAbi, demoIdentityRegistryBytecode, [owner])
  const compliance = await deploy(demoComplianceAbi, demoComplianceBytecode, [owner])
  const bond = await deploy(demoSecurityAbi, demoSecurityBytecode, [
    'Nordlicht Windpark 4.5% 2030',
    'NORD',
    18,
    registry,
    compliance,
    '0x0000000000000000000000000000000000000000',
    owner,
  ])
  const share = await deploy(partitionedShareAbi, partitionedShareBytecode, [
    'Alpine Uhren Class A',
    'ALPN',
    0,
    1n,
    owner,
  ])
  const art = await deploy(demoCertificateAbi, demoCertificateBytecode, [
    'Atelier Certificates',
    'ATEL',
    'https://atelier.example/certificates/',
    owner,
  ])
  const bars = await deploy(demoVaultBarAbi, demoVaultBarBytecode, ['https://tresor.example/bars/{id}.json', owner])
  const cash = await deploy(demoCashAbi, demoCashBytecode, ['Demo Euro', 'dEUR', 6, owner])

  await send(registry, demoIdentityRegistryAbi, 'addAgent', [owner])
  await send(bond, demoSecurityAbi, 'addAgent', [owner])
  for (const [index, holder] of holders.entries()) {
    // Any non-zero address stands for the holder's identity contract here; the register only asks that there is one.
    await send(registry, demoIdentityRegistryAbi, 'registerIdentity', [holder, holder, 276])
    await send(bond, demoSecurityAbi, 'mint', [holder, 10_000n * 10n ** 18n])
    await send(share, partitionedShareAbi, 'issueByPartition', [
      pad(stringToHex('common'), { dir: 'right' }),
      holder,
      500n,
      '0x',
    ])
    await send(art, demoCertificateAbi, 'issue', [holder])
    await send(bars, demoVaultBarAbi, 'deposit', [holder, BigInt(index + 1), 3n])
    await send(cash, demoCashAbi, 'mint', [holder, 1_000_000n * 10n ** 6n])
  }
  return {
    addresses: { NORD: bond, ALPN: share, ATEL: art, BARS: bars, dEUR: cash },
    contracts: { identityRegistry: registry, compliance },
  }
}

export async function hasCode(rpcUrl: string, address: string | undefined): Promise<boolean> {
  if (!address) return false
  const client = createPublicClient({ chain: foundry, transport: http(rpcUrl) })
  return (await client.getCode({ address: address as Address })) !== undefined
}
