import { contractsFolder, faultsOfBuild } from '../solidity/build.ts'
import { chooseRunner, skippedWithoutForge } from '../solidity/choose-runner.ts'
import { installedTool, runCommand } from '../support/run-command.ts'
import { type Check, type CheckResult, findingsResult } from './check.ts'

async function checkWithForge(): Promise<CheckResult> {
  const commands = [['fmt', '--check'], ['build']]
  const outputs: string[] = []
  let passed = true
  for (const args of commands) {
    const { exitCode, output } = await runCommand(installedTool('forge'), args, contractsFolder)
    passed &&= exitCode === 0
    outputs.push(output)
  }
  return { passed, output: outputs.join('\n') }
}

export const solidity: Check = {
  name: 'solidity',
  resource: 'compiler',
  run: async () => {
    if (chooseRunner() === 'forge') return checkWithForge()
    return findingsResult(await faultsOfBuild(), [skippedWithoutForge('forge fmt --check', 'forge lint')])
  },
}
