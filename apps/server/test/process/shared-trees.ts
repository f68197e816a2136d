import { existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Where built trees of the product lie; each is named after the run of the tests that it is for. */
export const treesFolder = fileURLToPath(new URL('../../../../node_modules/.cache/tally-mains', import.meta.url))

/** What the workers of one run built for each other; called by the global set-up. */
export function forgetTrees(run: string): void {
  if (!existsSync(treesFolder)) return
  for (const name of readdirSync(treesFolder))
    if (name.includes(run)) rmSync(join(treesFolder, name), { recursive: true, force: true })
}
