import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { neededPackages, PLATFORMS } from '../../../apps/server/bin/platform-rules.cjs'
import { repositoryRoot } from '../support/repository.ts'
import { type Check, type CheckResult, findingsResult } from './check.ts'
import { type Lock, locate, readLock } from './lock-file.ts'
import { type Exceptions, neededFindings, nodeFindings, scriptFindings, variantFindings } from './platform-rules.ts'

const EXCEPTIONS: Exceptions = {
  '@foundry-rs/anvil': { only: ['linux x64'], because: 'the other chain node is made for every platform' },
  '@foundry-rs/forge': { only: ['linux x64', 'macOS arm64'], because: 'elsewhere contract tests run without it' },
}
/** Forge, which no production program asks for. */
const DEVELOPMENT: Readonly<Record<string, string>> = {
  'linux x64': '@foundry-rs/forge-linux-amd64',
  'macOS arm64': '@foundry-rs/forge-darwin-arm64',
}

/** Where Node stands when it looks for a package that only the last of a chain of packages depends on. */
const folderOf = (lock: Lock, chain: readonly string[]): string =>
  chain.reduce((from, name) => locate(lock, from, name) ?? from, 'apps/server')

function neededOnEveryPlatform(lock: Lock): string[] {
  return PLATFORMS.flatMap((platform) => {
    const forge = DEVELOPMENT[platform.name]
    return [
      ...neededPackages(platform, true).flatMap(({ anyOf, dependencyOf }) =>
        neededFindings(lock, folderOf(lock, dependencyOf), platform, anyOf),
      ),
      ...neededFindings(lock, 'contracts/forge', platform, forge === undefined ? [] : [forge]),
    ]
  })
}

export function checkPlatforms(root: string): CheckResult {
  const lock = readLock(root)
  const { engines, allowScripts = {} } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    engines: { node: string }
    allowScripts?: Record<string, boolean>
  }
  const findings = [
    ...neededOnEveryPlatform(lock),
    ...variantFindings(lock, PLATFORMS, EXCEPTIONS),
    ...scriptFindings(lock, allowScripts),
    ...nodeFindings(lock, engines.node),
  ]
  return findingsResult([...new Set(findings)].sort())
}

export const platforms: Check = { name: 'platforms', run: async () => checkPlatforms(repositoryRoot) }
