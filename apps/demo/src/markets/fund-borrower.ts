import { demoCashAbi, demoIdentityRegistryAbi, demoSecurityAbi } from '@tallystick/abi'
import { type Address, encodeFunctionData, parseUnits } from 'viem'
import type { DemoCall } from '../demo-signing.ts'
import type { DemoWorld } from '../demo-world.ts'
import { GOLD } from '../gold.ts'
import { createStage, type Stage } from './market-stage.ts'

const country = 276
const securities = parseUnits('20000', 18)
const cash = parseUnits('100000', 6)
const gold = parseUnits('20000', 8)

/** What lets the register of the security know the borrower. */
export function admission({ world, borrower: { address } }: Stage): DemoCall {
  // Any non-zero address stands for an identity contract here.
  const args = [address, address, country] as const
  const data = encodeFunctionData({ abi: demoIdentityRegistryAbi, functionName: 'registerIdentity', args })
  return { to: world.contracts.identityRegistry as Address, data }
}

/** The borrower is known to the register of the security and holds enough of it, and of gold, for every loan. */
export async function ensureBorrower(world: DemoWorld): Promise<void> {
  const stage = createStage(world)
  const { issuer, borrower, signing } = stage
  const { address } = borrower
  const [registry, security, euro, bullion] = [
    world.contracts.identityRegistry,
    world.tokens.NORD,
    world.tokens.dEUR,
    world.tokens[GOLD],
  ] as Address[]
  if (!registry || !security || !euro || !bullion) throw new Error('the demo has no tokens to lend against')
  const { readContract } = signing.client
  const [isKnown, inHand] = await Promise.all([
    readContract({ address: registry, abi: demoIdentityRegistryAbi, functionName: 'contains', args: [address] }),
    readContract({ address: bullion, abi: demoCashAbi, functionName: 'balanceOf', args: [address] }),
  ])
  const mint = (to: Address, abi: typeof demoCashAbi | typeof demoSecurityAbi, amount: bigint): DemoCall => ({
    ...{ to, data: encodeFunctionData({ abi, functionName: 'mint', args: [address, amount] }) },
  })
  // The register first: the token mints only for those whom it knows.
  const first = [admission(stage), mint(security, demoSecurityAbi, securities), mint(euro, demoCashAbi, cash)]
  await signing.sendAll(issuer.account, [
    ...(isKnown ? [] : first),
    ...(inHand < gold / 10n ? [mint(bullion, demoCashAbi, gold)] : []),
  ])
}
