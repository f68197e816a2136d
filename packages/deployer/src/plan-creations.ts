import { erc1967ProxyAbi, erc1967ProxyBytecode } from '@tallystick/abi'
import { type Address, encodeDeployData, type Hex } from 'viem'
import { addressOfCreation, creationCall, DEPLOYMENT_PROXY } from './creation.ts'
import { type Linkable, link, linkedLibraries } from './linking.ts'
import type { PlannedContract, Step } from './plan.ts'
import { libraries } from './sources.ts'

export type Creations = ReturnType<typeof planCreations>

/** Collects creations in an order in which each finds what it needs: a library stands before the code that calls it. */
export function planCreations() {
  const steps: Step[] = []
  const contracts: Record<string, PlannedContract> = {}

  /** @param twin Sets a contract apart from another one of the same creation code. */
  function create(name: string, creation: Hex, twin = ''): Address {
    const address = addressOfCreation(creation, twin)
    contracts[name] = { address, creation }
    steps.push({
      name,
      to: DEPLOYMENT_PROXY,
      data: creationCall(creation, twin),
      creates: address,
      serves: null,
      signer: 'anyone',
      description: `Create ${name} at ${address}`,
    })
    return address
  }

  /** Initialised in its constructor, so that nobody can come first. */
  function proxy(name: string, implementation: Address, initialization: Hex, twin = ''): Address {
    const args = [implementation, initialization] as const
    return create(name, encodeDeployData({ abi: erc1967ProxyAbi, bytecode: erc1967ProxyBytecode, args }), twin)
  }

  function addressOfLibrary(name: string): Address {
    const planned = contracts[name]
    if (planned) return planned.address
    const library = libraries[name]
    if (!library) throw new Error(`There is no library called ${name}`)
    return create(name, linked(library))
  }

  function linked(code: Linkable): Hex {
    for (const name of linkedLibraries(code)) addressOfLibrary(name)
    return link(code, addressOfLibrary)
  }

  return { steps, contracts, create, proxy, linked }
}
