import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { repositoryRoot } from '../support/repository.ts'
import { installedTool, roomyNode, runCommand } from '../support/run-command.ts'
import type { Check, CheckResult } from './check.ts'
import { contractBorderFindings } from './contract-borders.ts'
import { folderCircleFindings } from './folder-circles.ts'

const FOLDERS = ['packages', 'apps', 'bench', 'tools', 'e2e']

/**
 * Holds a tree against the rules of .dependency-cruiser.cjs, its contracts against theirs, and the folders of the server against
 * circles; another tree than the repository's own is for tests.
 */
export async function checkBorders(root: string): Promise<CheckResult> {
  const folders = FOLDERS.filter((folder) => existsSync(join(root, folder)))
  const rules = join(repositoryRoot, '.dependency-cruiser.cjs')
  const { exitCode, output } = await runCommand(
    installedTool('depcruise'),
    ['--config', rules, '--output-type', 'err-long', ...folders],
    root,
    roomyNode(),
  )
  const findings = [...contractBorderFindings(root), ...folderCircleFindings(root)]
  return { passed: exitCode === 0 && findings.length === 0, output: [output, ...findings].join('\n') }
}

export const borders: Check = { name: 'borders', run: () => checkBorders(repositoryRoot) }
