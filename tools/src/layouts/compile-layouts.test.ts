import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { type TemporaryTree, writeTemporaryTree } from '../support/temporary-tree.ts'
import { compileLayouts } from './compile-layouts.ts'
import { renderLayout } from './layout.ts'
import { namespaceSlot } from './namespaces.ts'

const solidity = (text: string) => `// SPDX-License-Identifier: Apache-2.0\npragma solidity 0.8.30;\n${text}`
const slotConstant = (name: string) => `bytes32 constant SLOT = ${namespaceSlot(`erc7201:example.${name}`)};`

const sources = (bookSlot = slotConstant('Book')) => ({
  'node_modules/@scope/proxy/UUPSUpgradeable.sol': solidity('abstract contract UUPSUpgradeable {}'),
  'src/BookStorage.sol': solidity(`
enum Status { NONE, OPEN }
struct Entry { address owner; Status status; }
/// @custom:storage-location erc7201:example.Book
struct BookStorage { uint128 total; bool isOpen; mapping(uint256 id => Entry) entries; Entry[] queue; }
${bookSlot}`),
  'src/Owned.sol': solidity(`
abstract contract Owned {
    /// @custom:storage-location erc7201:example.Owned
    struct OwnedStorage { address owner; }
    ${slotConstant('Owned').replace('constant', 'private constant')}
}`),
  'src/Book.sol': solidity(`
import {Owned} from "./Owned.sol";
import {BookStorage} from "./BookStorage.sol";
import {UUPSUpgradeable} from "@scope/proxy/UUPSUpgradeable.sol";
contract Book is Owned, UUPSUpgradeable { uint256 internal plainNumber; }`),
  'src/Fixed.sol': solidity('contract Fixed { uint256 internal number; }'),
})

describe('compiling storage layouts', () => {
  let tree: TemporaryTree | undefined
  afterEach(() => tree?.remove())

  const compile = (files: Record<string, string>) => {
    tree = writeTemporaryTree(files)
    return compileLayouts(tree.root, join(tree.root, 'node_modules'))
  }

  it('finds the slot that the standard gives as an example', () => {
    expect(namespaceSlot('erc7201:example.main')).toBe(
      '0x183a6125c38840424c4a85fa12bab2ab606c4b6d0e7cc73c0c06ba5300eab500',
    )
    expect(() => namespaceSlot('other:example.main')).toThrow('only erc7201: is known')
  })

  it('lays out plain state, structs of the file and structs of bases, of upgradeable contracts only', async () => {
    const [book, ...others] = await compile(sources())
    expect(others).toEqual([])
    expect(book?.contract).toBe('Book')
    expect(Object.keys(book?.namespaces ?? {})).toEqual(['erc7201:example.Book', 'erc7201:example.Owned', 'plain'])
    expect(book?.namespaces['erc7201:example.Book']?.fields).toEqual([
      { label: 'total', slot: 0, offset: 0, type: 'uint128' },
      { label: 'isOpen', slot: 0, offset: 16, type: 'bool' },
      { label: 'entries', slot: 1, offset: 0, type: 'mapping(uint256 => struct Entry)' },
      { label: 'queue', slot: 2, offset: 0, type: 'struct Entry[]' },
    ])
    expect(book?.namespaces.plain?.fields).toEqual([{ label: 'plainNumber', slot: 0, offset: 0, type: 'uint256' }])
    expect(book?.types).toEqual({
      'enum Status': { bytes: 1, values: ['NONE', 'OPEN'] },
      'struct Entry': {
        bytes: 32,
        members: [
          { label: 'owner', slot: 0, offset: 0, type: 'address' },
          { label: 'status', slot: 0, offset: 20, type: 'enum Status' },
        ],
      },
      'struct Entry[]': { bytes: 32, base: 'struct Entry' },
    })
    expect(book && JSON.parse(renderLayout(book))).toEqual(book)
  })

  it('refuses a namespace whose slot is not in its file', async () => {
    await expect(compile(sources('bytes32 constant SLOT = 0x0;'))).rejects.toThrow(
      'BookStorage says erc7201:example.Book, but the slot of that',
    )
  })

  it('says what the compiler says', async () => {
    await expect(compile({ 'src/Broken.sol': solidity('contract Broken {') })).rejects.toThrow('ParserError')
  })
})
