import { posix } from 'node:path'
import type { Declaration } from './declarations.ts'
import { blankedText, closingBracket, listItems } from './solidity-text.ts'

// `new Thing(...)` copies the whole code of Thing into the contract that says it. Here that code is found by its name when
// the test runs, so that tests can be compiled apart from what they test, and without its code in every one of them.

export const CREATOR_FILE = 'test/created-by-name.sol'

const creator = (options: string, creation: string) => `
function createByName(string memory artifact, bytes memory arguments${options}) returns (address payable created) {
    bytes memory code = bytes.concat(codeByName(artifact), arguments);
    assembly ("memory-safe") {
        created := ${creation}
        if iszero(created) {
            let reason := mload(0x40)
            returndatacopy(reason, 0, returndatasize())
            revert(reason, returndatasize())
        }
    }
}
`
const CODE = 'add(code, 0x20), mload(code)'

/** One function for each set of options that `new` can have, with the names that they have there. */
export const CREATOR_SOURCE = `// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

interface CodeByName {
    function getCode(string calldata artifact) external view returns (bytes memory);
}

function codeByName(string memory artifact) view returns (bytes memory) {
    return CodeByName(address(uint160(uint256(keccak256("hevm cheat code"))))).getCode(artifact);
}
${[
  creator('', `create(0, ${CODE})`),
  creator(', uint256 value', `create(value, ${CODE})`),
  creator(', bytes32 salt', `create2(0, ${CODE}, salt)`),
  creator(', uint256 value, bytes32 salt', `create2(value, ${CODE}, salt)`),
].join('')}`

const CREATION = /\b(try\s+)?new\s+([\w.]+)\s*([({])|\btype\(\s*([\w.]+)\s*\)\s*\.\s*(creationCode|runtimeCode)\b/g
const LITERAL = /^(?:0x|(?:hex|unicode)?["'])/
const ELEMENTARY = /^(bytes|string)$/

/**
 * The text of a file with every creation done by name, on the lines where it was; `declarationOf` gives nothing for
 * contracts that stay as they are.
 */
export function createdByName(
  path: string,
  text: string,
  declarationOf: (name: string) => Declaration | undefined,
): string {
  const rewritten = rewrite(text, path, declarationOf)
  if (rewritten === text) return text
  const creatorPath = posix.relative(posix.dirname(path), CREATOR_FILE).replace(/^(?!\.)/, './')
  return `${rewritten}import {codeByName, createByName} from "${creatorPath}";\n`
}

function rewrite(text: string, path: string, declarationOf: (name: string) => Declaration | undefined): string {
  const blanked = blankedText(text)
  let [result, done] = ['', 0]
  for (const match of blanked.matchAll(CREATION)) {
    const [found, tried, created, bracket, coded, code] = match
    const name = created ?? coded ?? ''
    const declaration = ELEMENTARY.test(name) || match.index < done ? undefined : declarationOf(name)
    if (declaration === undefined) continue
    const artifact = `"${artifactName(declaration)}"`
    result += text.slice(done, match.index)
    if (code === 'creationCode') {
      result += `codeByName(${artifact})`
      done = match.index + found.length
      continue
    }
    if (code === 'runtimeCode') throw impossible(path, 'deployed code', found)
    const { options, given, end } = creationParts(text, blanked, match.index + found.length - 1, bracket === '{')
    const fault = tried === undefined ? faultOf(declaration, given) : 'a creation that is tried'
    if (fault !== undefined) throw impossible(path, fault, found)
    const [inner, chosen] = [given, options].map((part) => rewrite(part, path, declarationOf))
    result += `${name}(createByName({artifact: ${artifact}, arguments: abi.encode(${inner})${chosen && `, ${chosen}`}}))`
    done = end
  }
  return result + text.slice(done)
}

/** What `new Thing` is followed by: options in braces, arguments in brackets. */
function creationParts(text: string, blanked: string, first: number, hasOptions: boolean) {
  const optionsEnd = hasOptions ? closingBracket(blanked, first) : first
  const open = blanked.indexOf('(', optionsEnd)
  const close = closingBracket(blanked, open)
  return { options: text.slice(first + 1, optionsEnd), given: text.slice(open + 1, close), end: close + 1 }
}

const impossible = (path: string, fault: string, found: string) =>
  new Error(`${path}: tests find what they create by name, which is not possible for ${fault}: ${found}`)

function faultOf({ takesFixedBytes }: Declaration, given: string): string | undefined {
  if (given.trimStart().startsWith('{')) return 'arguments by name'
  // `abi.encode` would take it for a text or a number.
  const isUntyped = takesFixedBytes && listItems(given).some((item) => LITERAL.test(item))
  return isUntyped ? 'a literal without its type, like bytes32("x")' : undefined
}

/** As `vm.getCode` knows it: by the end of its path, which is not relative to anything. */
function artifactName({ file, name }: Declaration): string {
  return `${file.replace(/^(\.\.\/)+/, '')}:${name}`
}
