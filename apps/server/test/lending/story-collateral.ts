import { demoIdentityRegistryAbi, demoSecurityAbi } from '@tallystick/abi'
import { deploy, deployTrex, send, shippedArtifact } from '@tallystick/testkit'
import { type Address, encodeFunctionData, parseAbi } from 'viem'
import type { LendingWorld, Security } from './lending-world.ts'
import type { LiveMarket } from './market-life.ts'

/** A token to lend against, and its administrators, who act outside of the interface. */
export interface Collateral {
  readonly token: Address
  /** Takes wallets into its register. */
  know(holders: readonly Address[]): Promise<void>
  /** Lets a market freeze or hold it. */
  admit(market: LiveMarket): Promise<void>
  mint(to: Address, amount: bigint): Promise<void>
}

export function demoCollateral({ node }: LendingWorld, { token, registry }: Security): Collateral {
  const on = { address: registry, abi: demoIdentityRegistryAbi } as const
  const onToken = async (functionName: string, args: readonly unknown[]) => {
    await send(node, { address: token, abi: demoSecurityAbi, functionName, args })
  }
  async function know(holders: readonly Address[]): Promise<void> {
    for (const holder of holders) {
      const known = await node.publicClient.readContract({ ...on, functionName: 'contains', args: [holder] })
      if (!known) await send(node, { ...on, functionName: 'registerIdentity', args: [holder, holder, 276] })
    }
  }
  return {
    token,
    know,
    mint: (to, amount) => onToken('mint', [to, amount]),
    async admit({ adapter, router }) {
      await onToken('addAgent', [adapter])
      await know([adapter, router])
    },
  }
}

const complianceAbi = parseAbi(['function addModule(address)', 'function callModuleFunction(bytes, address)'])
const countriesAbi = parseAbi(['function addCountryRestriction(uint16)', 'function removeCountryRestriction(uint16)'])
const countries = '@tokenysolutions/t-rex/artifacts/contracts/compliance/modular/modules/CountryRestrictModule.sol'

/** An ERC-3643 token that others wrote, with a rule about countries. Its holders live in `country`. */
export async function trexCollateral(world: LendingWorld, country: number) {
  const { node } = world
  const trex = await deployTrex(node)
  const rule = await deploy(node, shippedArtifact(`${countries}/CountryRestrictModule.json`))
  const onCompliance = async (functionName: string, args: readonly unknown[]) => {
    await send(node, { address: trex.compliance, abi: complianceAbi, functionName, args })
  }
  const tellRule = (functionName: 'addCountryRestriction' | 'removeCountryRestriction') =>
    onCompliance('callModuleFunction', [encodeFunctionData({ abi: countriesAbi, functionName, args: [country] }), rule])
  await onCompliance('addModule', [rule])
  const token = trex.token.toLowerCase() as Address
  await world.importToken(world.deployer, token)
  const collateral: Collateral = {
    token,
    mint: trex.mint,
    async know(holders) {
      for (const holder of holders) await trex.registerHolder(holder, { country })
    },
    async admit({ adapter, router }) {
      for (const contract of [adapter, router]) await trex.registerHolder(contract)
    },
  }
  return {
    collateral,
    /** Nobody in that country may receive it any more. */
    forbid: () => tellRule('addCountryRestriction'),
    allow: () => tellRule('removeCountryRestriction'),
  }
}
