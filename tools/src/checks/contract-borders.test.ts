import { afterEach, describe, expect, it } from 'vitest'
import { type TemporaryTree, writeTemporaryTree } from '../support/temporary-tree.ts'
import { contractBorderFindings } from './contract-borders.ts'

const uses = (...specifiers: string[]) =>
  `pragma solidity 0.8.30;\n\n${specifiers.map((specifier) => `import {Thing} from "${specifier}";\n`).join('')}`

describe('borders between families of contracts', () => {
  let tree: TemporaryTree | undefined
  afterEach(() => tree?.remove())

  const findings = (files: Record<string, string>) => {
    tree?.remove()
    tree = writeTemporaryTree(
      Object.fromEntries(Object.entries(files).map(([path, text]) => [`contracts/${path}`, text])),
    )
    return contractBorderFindings(tree.root)
  }

  it('let a family use itself, what all share and packages', () => {
    const files = {
      'src/lending/Market.sol': uses('./base/Owned.sol', '../base/Roles.sol', '../libraries/CastLib.sol'),
      'src/lending/modules/PoolLib.sol': uses('../interfaces/IMarket.sol', '@openzeppelin/contracts/utils/Math.sol'),
      'src/base/Roles.sol': uses('./interfaces/IRoles.sol', '../libraries/CastLib.sol'),
      'src/demo/Token.sol': uses('../stocks/interfaces/IStock.sol'),
      'test/trading/Vault.t.sol': uses('../../src/lending/Market.sol'),
    }
    expect(findings(files)).toEqual([])
  })

  it.each([
    ['a family that uses another', 'src/trading/base/Orders.sol', '../../lending/libraries/CastLib.sol'],
    ['another by its interface only', 'src/stocks/Rules.sol', '../identity/interfaces/IClaims.sol'],
    ['a new family, without being told of it', 'src/funds/Fund.sol', '../lending/Market.sol'],
    ['another from the root of the contracts', 'src/lens/Reader.sol', 'src/stocks/Token.sol'],
    ['the demo below a family', 'src/stocks/Token.sol', '../demo/Cash.sol'],
    ['base on top of a family', 'src/base/Roles.sol', '../identity/Registry.sol'],
    ['libraries on top of base', 'src/libraries/CastLib.sol', '../base/Roles.sol'],
  ])('find %s', (_, at, specifier) => {
    const [finding, ...rest] = findings({ [at]: uses('./Own.sol', specifier) })
    expect(finding).toMatch(new RegExp(`^error contract-families: contracts/${at} → contracts/src/`))
    expect(rest).toEqual([])
  })

  it('find an import of several lines, of a whole file or under another name', () => {
    const text = [
      'import {\n    A,\n    B\n} from "../lending/Several.sol";',
      "import '../lending/Whole.sol';",
      'import * as Named from "../lending/Named.sol";',
      '// as "../lending/Comment.sol" does',
    ].join('\n')
    expect(findings({ 'src/trading/Vault.sol': text })).toEqual(
      ['Several', 'Whole', 'Named'].map(
        (name) => `error contract-families: contracts/src/trading/Vault.sol → contracts/src/lending/${name}.sol`,
      ),
    )
  })
})
