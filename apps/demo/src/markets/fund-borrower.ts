import { demoCashAbi, demoIdentityRegistryAbi, demoSecurityAbi } from '@tallystick/abi'
import { type Address, encodeFunctionData, parseUnits } from 'viem'
import type { DemoWorld } from '../demo-world.ts'
import { createStage } from './market-stage.ts'

const country = 276
const securities = parseUnits('20000', 18)
const cash = parseUnits('100000', 6)

/** The borrower is known to the register of the security and holds enough of it for every loan. */
export async function ensureBorrower(world: DemoWorld): Promise<void> {
  const { issuer, borrower, signing } = createStage(world)
  const { address } = borrower
  const [registry, security, euro] = [
    world.contracts.identityRegistry,
    world.tokens.NORD,
    world.tokens.dEUR,
  ] as Address[]
  if (!registry || !security || !euro) throw new Error('the demo has no tokens to lend against')
  const isKnown = await signing.client.readContract({
    address: registry,
    abi: demoIdentityRegistryAbi,
    functionName: 'contains',
    args: [address],
  })
  if (isKnown) return
  // The register first: the token mints only for those whom it knows.
  await signing.sendAll(issuer.account, [
    {
      to: registry,
      data: encodeFunctionData({
        abi: demoIdentityRegistryAbi,
        functionName: 'registerIdentity',
        // Any non-zero address stands for an identity contract here.
        args: [address, address, country],
      }),
    },
    {
      to: security,
      data: encodeFunctionData({ abi: demoSecurityAbi, functionName: 'mint', args: [address, securities] }),
    },
    { to: euro, data: encodeFunctionData({ abi: demoCashAbi, functionName: 'mint', args: [address, cash] }) },
  ])
}
