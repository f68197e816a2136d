import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { repositoryRoot } from '../../../../tools/src/support/repository.ts'
import { type CommandResult, installedTool, runCommand } from '../../../../tools/src/support/run-command.ts'
import { createWorld, type TestInstance } from '../world.ts'

export interface ServedDocument {
  readonly baseUrl: string
  readonly instance: TestInstance
  /** Where programs of others find the document; what they make of it goes beside it. */
  readonly folder: string
  readonly file: string
  /** Runs an installed tool in the folder; fails with all that it said when it does. */
  run(tool: string, ...args: string[]): Promise<string>
  write(name: string, text: string): void
  stop(): Promise<void>
}

function passed({ exitCode, output }: CommandResult, what: string): string {
  if (exitCode !== 0) throw new Error(`${what} ended with ${exitCode}: ${output.slice(0, 5000)}`)
  return output
}

/** `/openapi.json` of a service that listens, in a folder of its own. */
export async function serveDocument(): Promise<ServedDocument> {
  const world = await createWorld()
  await world.app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = world.app.server.address() as AddressInfo
  const baseUrl = `http://127.0.0.1:${port}`
  // Not below node_modules: what lies there is compiled into nothing.
  mkdirSync(join(repositoryRoot, 'var'), { recursive: true })
  const folder = mkdtempSync(join(repositoryRoot, 'var/openapi-'))
  const file = join(folder, 'openapi.json')
  writeFileSync(file, await (await fetch(`${baseUrl}/openapi.json`)).text())
  return {
    ...{ baseUrl, folder, file, instance: await world.createInstance() },
    run: async (tool, ...args) => {
      const command = tool === 'node' ? process.execPath : installedTool(tool)
      return passed(await runCommand(command, args, folder), `${tool} ${args.join(' ')}`)
    },
    write: (name, text) => writeFileSync(join(folder, name), text),
    async stop() {
      await world.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
