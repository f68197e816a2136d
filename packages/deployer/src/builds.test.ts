import { dutchAuctionVenueBytecode, lendingVaultBytecode } from '@tallystick/abi'
import type { Hex } from 'viem'
import { describe, expect, it } from 'vitest'
import { buildOf, knownBuilds, recognize } from './builds.ts'
import { libraries } from './sources.ts'

describe('known builds', () => {
  it('hold what this release creates', () => {
    for (const [name, { bytecode, references }] of Object.entries(libraries)) {
      const build = buildOf(bytecode, references)
      expect([
        name,
        knownBuilds[name]?.some(({ hash, bytes }) => hash === build.hash && bytes === build.bytes),
      ]).toEqual([name, true])
    }
    expect(knownBuilds.LendingVault?.at(-1)).toMatchObject(buildOf(lendingVaultBytecode))
    expect(knownBuilds.DutchAuctionVenue?.at(-1)).toMatchObject(buildOf(dutchAuctionVenueBytecode))
  })

  it('recognize no code that is cut, longer, another or none', () => {
    const { bytecode } = libraries.SplitModule ?? { bytecode: '0x' }
    const { bytes } = buildOf(bytecode)
    const own = '5b'.repeat(20)
    const runtime = bytecode.slice(-bytes * 2).replace('0'.repeat(40), own) as string
    const at = (text: string) => recognize('SplitModule', `0x${text}` as Hex)
    expect(at(runtime)).toMatchObject({ self: `0x${own}`, immutables: [], libraries: {} })
    expect(at(runtime.slice(0, -2))).toBeNull()
    expect(at(`${runtime}00`)).toBeNull()
    expect(at(`${runtime.slice(0, -2)}01`)).toBeNull()
    expect(recognize('SetupModule', `0x${runtime}`)).toBeNull()
    expect(recognize('Nothing', `0x${runtime}`)).toBeNull()
    expect(at('')).toBeNull()
  })

  it('are made from creation code of the compiler only', () => {
    expect(() => buildOf('0x6000fe00')).toThrow('no creation code')
  })
})
