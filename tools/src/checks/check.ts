import { runCommand } from '../support/run-command.ts'

export type CheckResult = {
  passed: boolean
  /** Printed when the check failed. */
  output: string
  /** Printed always: worth knowing, not worth failing. */
  notes?: string[]
}

export type Check = {
  name: string
  /** Checks that name the same resource never run at the same time. */
  resource?: string
  run: () => Promise<CheckResult>
}

export const commandCheck =
  (command: string, args: string[], env: Record<string, string> = {}): Check['run'] =>
  async () => {
    const { exitCode, output } = await runCommand(command, args, undefined, env)
    return { passed: exitCode === 0, output }
  }

export const findingsResult = (findings: string[], notes: string[] = []): CheckResult => ({
  passed: findings.length === 0,
  output: findings.join('\n'),
  notes,
})
