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
import {
  type Abi,
  type Address,
  encodeDeployData,
  encodeFunctionData,
  type Hex,
  pad,
  stringToHex,
  zeroAddress,
} from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import { createDemoSigning, type DemoCall } from './demo-signing.ts'
import { GOLD } from './gold.ts'

const DEPLOYMENT_GAS = 5_000_000n

export interface DemoToken {
  readonly symbol: string
  readonly assetType: AssetType
  readonly profile: Record<string, unknown> | null
}

/** One token per framework and gold, with what their issuers publish about them. */
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
  {
    symbol: GOLD,
    assetType: 'COMMODITY',
    profile: { issuerName: 'Tresor Depot SA', jurisdiction: 'LU', sector: 'Precious metals' },
  },
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
  const { sendAll } = createDemoSigning(rpcUrl)

  async function deploy(contracts: readonly [Abi, Hex, readonly unknown[]][]): Promise<Address[]> {
    const calls = contracts.map(([abi, bytecode, args]) => ({
      data: encodeDeployData({ abi, bytecode, args }),
      gas: DEPLOYMENT_GAS,
    }))
    const mined = await sendAll(issuer, calls)
    return mined.map(({ contractAddress }) => {
      if (!contractAddress) throw new Error('a demo contract was not created')
      return contractAddress
    })
  }
  const calling = (to: Address, abi: Abi, functionName: string, args: readonly unknown[]): DemoCall => ({
    to,
    data: encodeFunctionData({ abi, functionName, args }),
  })

  const owner = issuer.address
  const [registry = zeroAddress, compliance = zeroAddress] = await deploy([
    [demoIdentityRegistryAbi, demoIdentityRegistryBytecode, [owner]],
    [demoComplianceAbi, demoComplianceBytecode, [owner]],
  ])
  const [bond = zeroAddress, share = zeroAddress, art = zeroAddress, bars = zeroAddress, cash = zeroAddress] =
    await deploy([
      [
        demoSecurityAbi,
        demoSecurityBytecode,
        ['Nordlicht Windpark 4.5% 2030', 'NORD', 18, registry, compliance, zeroAddress, owner],
      ],
      [partitionedShareAbi, partitionedShareBytecode, ['Alpine Uhren Class A', 'ALPN', 0, 1n, owner]],
      [
        demoCertificateAbi,
        demoCertificateBytecode,
        ['Atelier Certificates', 'ATEL', 'https://atelier.example/certificates/', owner],
      ],
      [demoVaultBarAbi, demoVaultBarBytecode, ['https://tresor.example/bars/{id}.json', owner]],
      [demoCashAbi, demoCashBytecode, ['Demo Euro', 'dEUR', 6, owner]],
    ])

  const partition = pad(stringToHex('common'), { dir: 'right' })
  await sendAll(issuer, [
    calling(registry, demoIdentityRegistryAbi, 'addAgent', [owner]),
    calling(bond, demoSecurityAbi, 'addAgent', [owner]),
    ...holders.flatMap((holder, index) => [
      // Any non-zero address stands for the holder's identity contract here; the register only asks that there is one.
      calling(registry, demoIdentityRegistryAbi, 'registerIdentity', [holder, holder, 276]),
      calling(bond, demoSecurityAbi, 'mint', [holder, 10_000n * 10n ** 18n]),
      calling(share, partitionedShareAbi, 'issueByPartition', [partition, holder, 500n, '0x']),
      calling(art, demoCertificateAbi, 'issue', [holder]),
      calling(bars, demoVaultBarAbi, 'deposit', [holder, BigInt(index + 1), 3n]),
      calling(cash, demoCashAbi, 'mint', [holder, 1_000_000n * 10n ** 6n]),
    ]),
  ])
  return {
    addresses: { NORD: bond, ALPN: share, ATEL: art, BARS: bars, dEUR: cash },
    contracts: { identityRegistry: registry, compliance },
  }
}
