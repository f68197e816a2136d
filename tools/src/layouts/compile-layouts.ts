import { readSoliditySources, type SoliditySources, withImports } from '../solidity/solidity-sources.ts'
import { type AstNode, analyze, type CompilerLayout, type CompilerOutput } from './compiler-output.ts'
import type { Field, StorageLayout, StorageType } from './layout.ts'
import { findNamespaces, type Namespace, namespaceSlot, namespacesInText } from './namespaces.ts'

const PROBES = 'layout-probes.sol'
const UPGRADEABLE = 'UUPSUpgradeable'
/** Files whose trees tell of contracts, enums or namespaces: the trees of all others are most of what the compiler would write. */
const NEEDED = /\b(?:contract|enum)\s+\w+|@custom:storage-location/

/** The layout of every contract below `src` that stands behind a proxy, in the order of their names. */
export async function compileLayouts(contractsFolder: string, packagesFolder: string): Promise<StorageLayout[]> {
  const sources = readSoliditySources(contractsFolder, packagesFolder)
  const contents = Object.fromEntries([...sources].map(([path, { content }]) => [path, content]))
  const namespaces = Object.entries(contents).flatMap(([file, content]) => namespacesInText(file, content))
  for (const namespace of namespaces) requireSlotInSource(namespace, sources)
  const trees = Object.keys(contents).filter((file) => NEEDED.test(contents[file] ?? ''))
  const output = await analyze({ ...contents, [PROBES]: renderProbes(namespaces) }, trees)
  requireSame(namespaces, output)
  const nodes = new Map(
    Object.values(output.sources).flatMap(({ ast }) => allNodes(ast).map((node) => [node.id, node])),
  )
  return upgradeableContracts(output, nodes)
    .map(({ file, contract }) => {
      const bases = new Set(contract.linearizedBaseContracts?.map((id) => nodes.get(id)?.name))
      const reachable = withImports(file, sources)
      // A struct of a file or library is in use by whoever imports it; one of a contract by whoever inherits it.
      const isOwn = ({ within, file: at }: Namespace) =>
        within !== undefined && !isLibrary(output, at, within) ? bases.has(within) : reachable.has(at)
      return layoutOf(file, contract.name ?? '', namespaces, isOwn, output, nodes)
    })
    .sort((a, b) => (a.contract < b.contract ? -1 : 1))
}

/** The compiler is asked once, so that what it is asked for was found in the text; what it has read itself has the last word. */
function requireSame(namespaces: readonly Namespace[], { sources }: CompilerOutput): void {
  const named = (found: readonly Namespace[]) =>
    found.map(({ file, within = '', struct, id }) => [file, within, struct, id].join(' ')).sort()
  const read = Object.entries(sources).flatMap(([file, { ast }]) => (ast ? findNamespaces(file, ast) : []))
  const [inText, inTrees] = [named(namespaces), named(read)]
  if (inText.join() !== inTrees.join())
    throw new Error(`the text has the namespaces ${inText.join(', ')}; the compiler read ${inTrees.join(', ')}`)
}

function requireSlotInSource({ id, struct, file }: Namespace, sources: SoliditySources): void {
  if (sources.get(file)?.content.includes(namespaceSlot(id))) return
  throw new Error(`${file}: ${struct} says ${id}, but the slot of that, ${namespaceSlot(id)}, is nowhere in the file`)
}

/** The compiler lays out state variables only, so each struct becomes one. */
function renderProbes(namespaces: Namespace[]): string {
  const probes = namespaces.map(({ file, struct, within }, index) => {
    const alias = `Probed${index}`
    const type = within === undefined ? alias : `${alias}.${struct}`
    return `import {${within ?? struct} as ${alias}} from "${file}";\ncontract Probe${index} { ${type} internal probed; }`
  })
  return ['// SPDX-License-Identifier: Apache-2.0', 'pragma solidity 0.8.30;', ...probes].join('\n')
}

function allNodes(node: AstNode | undefined): AstNode[] {
  return node ? [node, ...(node.nodes ?? []).flatMap(allNodes)] : []
}

function isLibrary(output: CompilerOutput, file: string, name: string): boolean {
  return output.sources[file]?.ast?.nodes?.find((node) => node.name === name)?.contractKind === 'library'
}

function upgradeableContracts(output: CompilerOutput, nodes: Map<number, AstNode>) {
  return Object.entries(output.sources)
    .filter(([file]) => file.startsWith('src/'))
    .flatMap(([file, { ast }]) => (ast?.nodes ?? []).map((contract) => ({ file, contract })))
    .filter(({ contract }) => contract.contractKind === 'contract' && contract.abstract === false)
    .filter(({ contract }) => contract.linearizedBaseContracts?.some((id) => nodes.get(id)?.name === UPGRADEABLE))
}

function layoutOf(
  file: string,
  contract: string,
  namespaces: Namespace[],
  isOwn: (namespace: Namespace) => boolean,
  output: CompilerOutput,
  nodes: Map<number, AstNode>,
): StorageLayout {
  const layout: StorageLayout = { contract, namespaces: {}, types: {} }
  const plain = output.contracts[file]?.[contract]?.storageLayout
  if (plain === undefined) throw new Error(`${contract}: the compiler gave no layout`)
  addTypes(layout, plain, nodes)
  layout.namespaces.plain = { slot: '0x0', fields: plain.storage.map((field) => fieldOf(field, plain)) }
  for (const [index, namespace] of namespaces.entries()) {
    if (!isOwn(namespace)) continue
    const probe = output.contracts[PROBES]?.[`Probe${index}`]?.storageLayout
    const fields = probe?.types?.[probe.storage[0]?.type ?? '']?.members
    if (probe === undefined || fields === undefined) throw new Error(`${namespace.struct}: the compiler gave no layout`)
    addTypes(layout, probe, nodes, probe.storage[0]?.type)
    layout.namespaces[namespace.id] = {
      slot: namespaceSlot(namespace.id),
      fields: fields.map((field) => fieldOf(field, probe)),
    }
  }
  layout.namespaces = sorted(layout.namespaces)
  layout.types = sorted(layout.types)
  return layout
}

function fieldOf(field: CompilerLayout['storage'][number], { types }: CompilerLayout): Field {
  const { label, slot, offset, type } = field
  return { label, slot: Number(slot), offset, type: types?.[type]?.label ?? type }
}

function addTypes(layout: StorageLayout, from: CompilerLayout, nodes: Map<number, AstNode>, leftOut?: string): void {
  for (const [id, { label, numberOfBytes, base, members }] of Object.entries(from.types ?? {})) {
    if (id === leftOut) continue
    const values = nodes.get(Number(/^t_enum\(.*\)(\d+)$/.exec(id)?.[1]))?.members?.map(({ name }) => name)
    const type: StorageType = {
      bytes: Number(numberOfBytes),
      ...(base === undefined ? {} : { base: from.types?.[base]?.label ?? base }),
      ...(members === undefined ? {} : { members: members.map((member) => fieldOf(member, from)) }),
      ...(values === undefined ? {} : { values }),
    }
    // Of all others the name says everything.
    if (!/^t_(array|enum|struct|userDefinedValueType)/.test(id)) continue
    const known = layout.types[label]
    if (known !== undefined && JSON.stringify(known) !== JSON.stringify(type))
      throw new Error(`${layout.contract}: two types are called ${label}`)
    layout.types[label] = type
  }
}

function sorted<T>(record: Record<string, T>): Record<string, T> {
  return Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)))
}
