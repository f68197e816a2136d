import { encodeAbiParameters, keccak256, toHex } from 'viem'
import { blankedText } from '../solidity/solidity-text.ts'
import type { AstNode } from './compiler-output.ts'

/** A struct that is annotated with the place of its storage. */
export type Namespace = {
  id: string
  struct: string
  file: string
  /** The contract or library around the struct; a struct of the file has none. */
  within?: string
}

const ANNOTATION = /@custom:storage-location\s+(\S+)/

function annotated(node: AstNode): string | undefined {
  if (node.nodeType !== 'StructDefinition') return undefined
  const { documentation } = node
  return ANNOTATION.exec(typeof documentation === 'string' ? documentation : (documentation?.text ?? ''))?.[1]
}

export function findNamespaces(file: string, ast: AstNode): Namespace[] {
  const found = (nodes: AstNode[] = [], within?: string): Namespace[] =>
    nodes.flatMap((node) => {
      if (node.nodeType === 'ContractDefinition') return found(node.nodes, node.name)
      const id = annotated(node)
      if (id === undefined || node.name === undefined) return []
      return [{ id, struct: node.name, file, ...(within === undefined ? {} : { within }) }]
    })
  return found(ast.nodes)
}

const EVERY_ANNOTATION = new RegExp(ANNOTATION, 'g')
const AROUND = /\b(?:contract|library|interface)\s+(\w+)/g

/** The same by the text alone, which takes no compiler: the struct that comes next after the annotation, and the contract around it. */
export function namespacesInText(file: string, text: string): Namespace[] {
  const blanked = blankedText(text)
  return [...text.matchAll(EVERY_ANNOTATION)].flatMap(({ index, 1: id = '' }) => {
    const [, struct] = /^\s*struct\s+(\w+)/.exec(blanked.slice(index)) ?? []
    if (struct === undefined) return []
    const before = blanked.slice(0, index)
    const isInside = before.split('{').length > before.split('}').length
    const within = isInside ? [...before.matchAll(AROUND)].at(-1)?.[1] : undefined
    return [{ id, struct, file, ...(within === undefined ? {} : { within }) }]
  })
}

/** The slot that ERC-7201 gives to an id. */
export function namespaceSlot(id: string): string {
  const name = id.replace(/^erc7201:/, '')
  if (name === id) throw new Error(`${id}: only erc7201: is known`)
  const beforeLast = BigInt(keccak256(toHex(name))) - 1n
  const slot = BigInt(keccak256(encodeAbiParameters([{ type: 'uint256' }], [beforeLast]))) & ~0xffn
  return toHex(slot, { size: 32 })
}
