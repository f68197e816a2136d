import { demoComplianceAbi, demoComplianceBytecode, demoSecurityAbi, demoSecurityBytecode } from '@tallystick/abi'
import type { Address, Hex } from '@tallystick/sdk'
import { encodeDeployData, encodeFunctionData, zeroAddress } from 'viem'
import type { Demo } from '../demo/demo.ts'
import { sendDirectly } from './direct-calls.ts'

async function create(demo: Demo, data: Hex): Promise<Address> {
  const [address] = await sendDirectly(demo.wallet('Issuer platform'), [{ data }])
  if (!address) throw new Error('the contract was not created')
  return address
}

/** A security of the issuer that no service knows yet. It could have been made with any tool. */
export async function newSecurity(demo: Demo): Promise<Address> {
  const issuer = demo.wallet('Issuer platform')
  const owner = issuer.account.address
  // A contract of rules serves one security; the register of holders is the one of the demo.
  const rules = encodeDeployData({ abi: demoComplianceAbi, bytecode: demoComplianceBytecode, args: [owner] })
  const [registry, compliance] = [demo.contract('identityRegistry'), await create(demo, rules)]
  const args = ['Sonnenfeld Solar 5% 2031', 'SOLAR', 18, registry, compliance, zeroAddress, owner] as const
  const token = await create(demo, encodeDeployData({ abi: demoSecurityAbi, bytecode: demoSecurityBytecode, args }))
  const data = encodeFunctionData({ abi: demoSecurityAbi, functionName: 'addAgent', args: [owner] })
  await sendDirectly(issuer, [{ to: token, data }])
  return token
}
