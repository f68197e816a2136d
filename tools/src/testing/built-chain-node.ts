import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { CHAIN_NODE } from '../build/bundle.ts'
import { PROGRAMS, writeTree } from '../build/tree.ts'
import { repositoryRoot } from '../support/repository.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** The chain node as a built tree has it. */
    chainNode: string
  }
}

/** Tests start hundreds of nodes, where the node is our own: from JavaScript, each takes half the time. */
export default async function setup(project: TestProject): Promise<() => void> {
  const tree = join(repositoryRoot, 'node_modules/.cache/tally-chain-node', `${process.pid}-${project.name}`)
  await writeTree(tree, { 'chain-node': PROGRAMS['chain-node'] })
  project.provide('chainNode', join(tree, `${CHAIN_NODE}.js`))
  return () => rmSync(tree, { recursive: true, force: true })
}
