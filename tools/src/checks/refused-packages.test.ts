import { afterEach, describe, expect, it } from 'vitest'
import { repositoryRoot } from '../support/repository.ts'
import { type TemporaryTree, writeTemporaryTree } from '../support/temporary-tree.ts'
import type { LockEntry } from './lock-file.ts'
import { checkRefusedPackages } from './refused-packages.ts'

describe('packages that production never installs', () => {
  let tree: TemporaryTree | undefined
  afterEach(() => tree?.remove())

  const check = (packages: Record<string, LockEntry>) => {
    tree?.remove()
    tree = writeTemporaryTree({ 'package-lock.json': JSON.stringify({ packages }) })
    return checkRefusedPackages(tree.root)
  }

  it('are not in our lock file', () => {
    expect(checkRefusedPackages(repositoryRoot)).toMatchObject({ passed: true, output: '' })
  })

  it('are named with the place that they lie at, nested or not', () => {
    const { passed, output } = check({
      'node_modules/elliptic': { version: '6.6.1' },
      'node_modules/ethers': { version: '6.16.0' },
      'node_modules/viem/node_modules/ws': { version: '7.4.6' },
    })
    expect(passed).toBe(false)
    expect(output.split('\n').map((line) => line.slice(0, line.indexOf(':')))).toEqual([
      'elliptic 6.6.1 is installed in production (node_modules/elliptic)',
      'ethers 6.16.0 is installed in production (node_modules/ethers)',
      'ws 7.4.6 is installed in production (node_modules/viem/node_modules/ws)',
    ])
  })

  it('are found where npm would install them without dev dependencies, and only there', () => {
    expect(check({ 'node_modules/ethers': { version: '5.4.0', devOptional: true } }).passed).toBe(false)
    expect(check({ 'node_modules/ethers': { version: '5.4.0', dev: true } }).passed).toBe(true)
  })

  it('are refused by version where newer ones are fine', () => {
    expect(check({ 'node_modules/ws': { version: '8.22.2' } }).passed).toBe(true)
    expect(check({ 'node_modules/ws': { version: '7.5.10' } }).passed).toBe(false)
  })
})
