import { createRequire } from 'node:module'
import type { Abi, Hex } from 'viem'

export interface Artifact {
  abi: Abi
  bytecode: Hex
}

const require = createRequire(import.meta.url)

/** A compiled contract as its npm package ships it. */
export function shippedArtifact(path: string): Artifact {
  const { abi, bytecode } = require(path) as Artifact
  if (bytecode.length <= 2) throw new Error(`${path} is abstract and cannot be deployed`)
  return { abi, bytecode }
}
