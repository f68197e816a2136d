import { describe, expect, it } from 'vitest'
import { contractsFolder } from './build.ts'
import { parseTables, readFoundryConfig } from './foundry-config.ts'

describe("forge's configuration", () => {
  it('is read with its texts, numbers, lists and tables, without its comments', () => {
    const text = [
      '# of the whole # file',
      '[profile.default]',
      'src = "src" # "where"',
      'runs = 10_000',
      'names = [',
      '  { access = "read", path = "a#b" },',
      '  { access = "read", path = "c = d" },',
      ']',
      '[fmt]',
      'sort = true',
    ].join('\n')
    expect(Object.fromEntries(parseTables(text))).toEqual({
      'profile.default': {
        src: 'src',
        runs: 10_000,
        names: [
          { access: 'read', path: 'a#b' },
          { access: 'read', path: 'c = d' },
        ],
      },
      fmt: { sort: true },
    })
  })

  it('is refused where it is not understood', () => {
    expect(() => parseTables('[profile.default]\nwhat is this')).toThrow('not understood: what is this')
  })

  it('of a profile lies on top of the default one', () => {
    expect(readFoundryConfig(contractsFolder)).toMatchObject({ optimizer_runs: 200, fuzz: { runs: 100 } })
    expect(readFoundryConfig(contractsFolder, 'soak')).toMatchObject({ optimizer_runs: 200, fuzz: { runs: 10_000 } })
    expect(readFoundryConfig(contractsFolder, 'gas')).toMatchObject({ isolate: true, fuzz: { runs: 100 } })
    expect(() => readFoundryConfig(contractsFolder, 'other')).toThrow('no profile other')
  })
})
