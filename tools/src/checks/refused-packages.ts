import { satisfies } from 'semver'
import { repositoryRoot } from '../support/repository.ts'
import { type Check, type CheckResult, findingsResult } from './check.ts'
import { packageAt, readLock } from './lock-file.ts'

/** What production never installs again, by name and versions; tests may. */
const REFUSED: Readonly<Record<string, { versions: string; because: string }>> = {
  ethers: { versions: '*', because: 'the chain is spoken to through viem; version 5 brings elliptic and an old ws' },
  elliptic: { versions: '*', because: 'its signatures had faults that were not mended; viem brings @noble/curves' },
  ws: { versions: '<8', because: 'only version 8 gets security fixes' },
}

/** As `npm ci --omit=dev` sees it: it installs every entry that npm did not mark as `dev`, of every workspace. */
export function checkRefusedPackages(root: string): CheckResult {
  const findings = Object.entries(readLock(root)).flatMap(([location, { dev, version = '' }]) => {
    const name = packageAt(location)
    const refused = REFUSED[name]
    if (dev === true || !location.includes('node_modules/') || refused === undefined) return []
    if (!satisfies(version, refused.versions, { includePrerelease: true })) return []
    return [`${name} ${version} is installed in production (${location}): ${refused.because}`]
  })
  return findingsResult(findings.sort())
}

export const refusedPackages: Check = { name: 'packages', run: async () => checkRefusedPackages(repositoryRoot) }
