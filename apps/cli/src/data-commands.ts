import { existsSync, readFileSync, rmSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { type ChainEngine, EngineMissingError, engineCalled, engineOf, placeFile } from '@tallystick/embedded'
import { type EmbeddedFiles, inspectBackup, restoreBackup, writeBackup } from '@tallystick/server/operator'
import { type Config, ConfigError, migrate, systemClock } from '@tallystick/server/platform'
import { callKinds, projections, rebuild } from '@tallystick/server/rebuild'
import { chainFolder, demoFile, runningStack } from '@tallystick/server/stack'
import type { Command } from 'commander'
import { print } from './print.ts'
import { type Session, withSession } from './session.ts'

/** The state of an embedded chain as its node dumps it, and the demo's file; a chain that is not ours is not ours to back up. */
async function embeddedFiles(session: Session): Promise<EmbeddedFiles | null> {
  if (!session.embedded) return null
  const [chain] = (await session.chains()).all
  const [answer] = (await chain?.rpc.batch([{ method: 'anvil_dumpState', params: [] }])) ?? []
  if (!answer?.ok) throw new ConfigError(`The chain could not be dumped: ${answer?.fault.message ?? 'no node'}`)
  const demo = demoFile(session.config.DATA_DIR)
  const engine = engineOf(chainFolder(session.config.DATA_DIR))
  return {
    ...(engine ? { engine } : {}),
    chainState: gunzipSync(Buffer.from((answer.value as string).slice(2), 'hex')).toString('utf8'),
    demo: existsSync(demo) ? readFileSync(demo, 'utf8') : null,
  }
}

/** The engine that can go on with the chain of a backup. Asked before anything is restored. */
function engineFor({ engine: name = 'anvil' }: EmbeddedFiles, { CHAIN_NODE }: Config): ChainEngine {
  const engine = engineCalled(name)
  if (CHAIN_NODE && CHAIN_NODE !== name)
    throw new ConfigError(`The chain of this backup was made by ${name}: set CHAIN_NODE=${name}`)
  if (!engine.isInstalled()) throw new ConfigError(new EngineMissingError(name, 'this backup').message)
  return engine
}

export function addDataCommands(program: Command, readConfig: () => Config): void {
  program
    .command('migrate')
    .description('Bring the database to the version of this release')
    .action(() => withSession(readConfig(), async ({ databaseUrl }) => print({ version: await migrate(databaseUrl) })))

  program
    .command('backup <file>')
    .description('One consistent picture of every table, and of the embedded chain')
    .action((file: string) =>
      withSession(readConfig(), async (session) => {
        const written = await writeBackup(session.database, file, {
          now: systemClock.now(),
          embedded: () => embeddedFiles(session),
        })
        print({ file, ...written })
      }),
    )

  program
    .command('restore <file>')
    .description('Put a backup into an empty database; an embedded stack must not be running')
    .action(async (file: string) => {
      const config = readConfig()
      if (!config.external && runningStack(config.DATA_DIR))
        throw new ConfigError('Stop the running stack first: a restore needs an empty one.')
      const { embedded } = await inspectBackup(file)
      const engine = embedded && !config.external ? engineFor(embedded, config) : undefined
      const restored = await withSession(config, ({ database, databaseUrl }) =>
        restoreBackup(database, databaseUrl, file),
      )
      // Only now that nothing runs any more: the node writes its own state when it is stopped.
      if (embedded && engine) {
        // The start of the database had a chain of its own, perhaps of the other engine.
        rmSync(chainFolder(config.DATA_DIR), { recursive: true, force: true })
        engine.place(chainFolder(config.DATA_DIR), embedded.chainState)
        if (embedded.demo !== null) placeFile(demoFile(config.DATA_DIR), embedded.demo)
      }
      print({ file, ...restored, chain: engine !== undefined })
    })

  program
    .command('rebuild')
    .description('Derive every chain-derived row anew from the stored events')
    .action(() =>
      withSession(readConfig(), async ({ database, databaseUrl }) => {
        await migrate(databaseUrl)
        print(await rebuild(database, { kinds: callKinds, projections }))
      }),
    )
}
