import { createRegisterImport } from '@tallystick/server/operator'
import { type Config, migrate, systemClock, systemRandom } from '@tallystick/server/platform'
import type { Command } from 'commander'
import { print } from './print.ts'
import { withSession } from './session.ts'

export function addRegisterCommands(program: Command, readConfig: () => Config): void {
  program
    .command('register')
    .description('The register of regulated entities')
    .command('import <sources...>')
    .description(
      'Bring in files of the register from disk or http(s); fails when one is refused, which leaves its data as it was',
    )
    .option('--accept-shrink', 'take a file that lost more than a fifth of its rows', false)
    .action(async (sources: string[], { acceptShrink }: { acceptShrink: boolean }) =>
      withSession(readConfig(), async ({ config, database, databaseUrl }) => {
        await migrate(databaseUrl)
        const imports = createRegisterImport({ database, clock: systemClock, random: systemRandom })
        const load = { timeoutMs: config.REGISTER_TIMEOUT_MS, maxBytes: config.REGISTER_MAX_BYTES }
        const reports = []
        for (const source of sources)
          reports.push((await imports.importSource(source, load, { acceptShrink, byOperator: true })).report)
        print(reports)
        if (reports.some(({ outcome }) => outcome === 'refused')) process.exitCode = 1
      }),
    )
}
