import { DEPLOYMENT_PROXY } from '@tallystick/deployer'
import { type Address, concat, createPublicClient, getCreate2Address, type Hex, http, zeroHash } from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import { foundry } from 'viem/chains'
import { createDemoSigning } from './demo-signing.ts'

const CREATION_GAS = 5_000_000n

/** A contract at an address that depends on nothing but its code: however often a start was killed, there is one. */
export async function ensureCreated(rpcUrl: string, by: PrivateKeyAccount, creation: Hex): Promise<Address> {
  const address = getCreate2Address({ from: DEPLOYMENT_PROXY, salt: zeroHash, bytecode: creation })
  if (!(await hasCode(rpcUrl, address)))
    await createDemoSigning(rpcUrl).sendAll(by, [
      { to: DEPLOYMENT_PROXY, data: concat([zeroHash, creation]), gas: CREATION_GAS },
    ])
  return address.toLowerCase() as Address
}

export async function hasCode(rpcUrl: string, address: string | undefined): Promise<boolean> {
  if (!address) return false
  const client = createPublicClient({ chain: foundry, transport: http(rpcUrl) })
  return (await client.getCode({ address: address as Address })) !== undefined
}
