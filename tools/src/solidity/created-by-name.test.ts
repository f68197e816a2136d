import { describe, expect, it } from 'vitest'
import { runCompiler } from './compiler.ts'
import { CREATOR_FILE, CREATOR_SOURCE, createdByName } from './created-by-name.ts'
import { declarationFinder } from './declarations.ts'

const THING = `contract Other { constructor(bytes32 id) {} }
contract Thing { constructor(uint256 number, address owner) payable {} }`
const FILES = {
  'src/Thing.sol': { content: THING },
  '../node_modules/@scope/Proxy.sol': { content: 'contract Proxy {}' },
  'test/Some.t.sol': {
    content: `import {Thing, Other as Another} from "../src/Thing.sol";
import {Proxy} from "@scope/Proxy.sol";
contract Helper {}`,
  },
}

const find = declarationFinder(FILES, ['@scope/=../node_modules/@scope/'])
const rewritten = (text: string) =>
  createdByName('test/Some.t.sol', text, (name) => {
    const declaration = find('test/Some.t.sol', name)
    return declaration?.file === 'test/Some.t.sol' ? undefined : declaration
  }).split('import {codeByName')[0]

describe('contracts created by name', () => {
  it('are those of other files, where the name was imported from, under another name or through a package', () => {
    expect(rewritten('new Thing(1, me);')).toBe(
      'Thing(createByName({artifact: "src/Thing.sol:Thing", arguments: abi.encode(1, me)}));',
    )
    expect(rewritten('new Another(id)')).toContain('Another(createByName({artifact: "src/Thing.sol:Other"')
    expect(rewritten('new Proxy()')).toContain('"node_modules/@scope/Proxy.sol:Proxy", arguments: abi.encode()')
    expect(rewritten('type(Proxy).creationCode')).toBe('codeByName("node_modules/@scope/Proxy.sol:Proxy")')
  })

  it('are found within the arguments of others, with options, over several lines', () => {
    expect(rewritten('new Thing{salt: id}(\n  1,\n  address(new Proxy())\n)')).toBe(
      'Thing(createByName({artifact: "src/Thing.sol:Thing", arguments: abi.encode(\n  1,\n  ' +
        'address(Proxy(createByName({artifact: "node_modules/@scope/Proxy.sol:Proxy", arguments: abi.encode()})))\n), ' +
        'salt: id}))',
    )
  })

  it('are not what a comment or a text says, nor arrays, nor contracts of the file itself', () => {
    for (const text of ['// new Thing(1)', '"new Thing(1)"', 'new bytes(4)', 'new Thing[](3)', 'new Helper()'])
      expect(rewritten(text)).toBe(text)
  })

  it('are refused where the meaning could change', () => {
    expect(() => rewritten('try new Thing(1, me) returns (Thing) {}')).toThrow('is tried')
    expect(() => rewritten('new Thing({number: 1, owner: me})')).toThrow('arguments by name')
    expect(() => rewritten('type(Thing).runtimeCode')).toThrow('deployed code')
    expect(() => rewritten('new Another("id")')).toThrow('a literal without its type')
    expect(rewritten('new Another(bytes32("id"))')).toContain('abi.encode(bytes32("id"))')
  })

  it('compile, with every set of options', async () => {
    const text = `// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;
import {Thing} from "../src/Thing.sol";
contract Some {
    function create(bytes32 id) external payable returns (Thing) {
        new Thing(1, msg.sender);
        new Thing{value: 1}(1, msg.sender);
        new Thing{salt: id}(1, msg.sender);
        return new Thing{salt: id, value: 1}(1, msg.sender);
    }
}
`
    const content = createdByName('test/Some.t.sol', text, (name) => find('test/Some.t.sol', name))
    const answer = await runCompiler({
      language: 'Solidity',
      sources: {
        'src/Thing.sol': { content: `// SPDX-License-Identifier: Apache-2.0\npragma solidity 0.8.30;\n${THING}` },
        'test/Some.t.sol': { content },
        [CREATOR_FILE]: { content: CREATOR_SOURCE },
      },
      settings: { outputSelection: { 'test/Some.t.sol': { Some: ['evm.bytecode.object'] } } },
    })
    const { errors = [], contracts } = JSON.parse(answer)
    expect(errors.filter(({ severity }: { severity: string }) => severity === 'error')).toEqual([])
    expect(contracts['test/Some.t.sol'].Some.evm.bytecode.object).toMatch(/^60/)
    expect(content.split('\n')[4]).toContain('function create')
  })
})
