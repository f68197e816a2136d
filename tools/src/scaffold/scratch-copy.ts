import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { listFiles, repositoryRoot } from '../support/repository.ts'
import { runCommand } from '../support/run-command.ts'

interface WriteNames {
  readonly resource: string
  readonly operation: string
  readonly stem: string
}

/** A write that the tests add. */
export const ADDED: WriteNames = { resource: 'rates', operation: 'pokeSnapshot', stem: 'poke-snapshot' }

/** What the server does not need. */
const LEFT_OUT = /^(contracts\/(?!package)|bench\/|e2e\/(?!package)|ops\/)/

/** A copy of the repository that finds its own packages, and all others where they are installed. */
export function scratchCopy(): string {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'tallystick-new-')))
  for (const path of listFiles(repositoryRoot).filter((one) => !LEFT_OUT.test(one))) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    copyFileSync(join(repositoryRoot, path), join(root, path))
  }
  const installed = join(repositoryRoot, 'node_modules')
  const modules = join(root, 'node_modules')
  mkdirSync(join(modules, '@tallystick'), { recursive: true })
  for (const name of readdirSync(installed))
    if (name !== '@tallystick' && name !== '.cache') symlinkSync(join(installed, name), join(modules, name))
  for (const name of readdirSync(join(installed, '@tallystick'))) {
    const own = realpathSync(join(installed, '@tallystick', name)).slice(repositoryRoot.length)
    symlinkSync(join(root, own), join(modules, '@tallystick', name))
  }
  return root
}

/** The files that CONTRIBUTING says a write takes, and the command that makes them. */
export function promised(names: WriteNames) {
  const text = readFileSync(join(repositoryRoot, 'CONTRIBUTING.md'), 'utf8')
  const [, section = ''] = /## Adding a write to lending\n([\s\S]*?)\n## /.exec(text) ?? []
  const files = [...section.matchAll(/^\d\. `([^`]+)`/gm)].map(([, path = '']) =>
    path
      .replaceAll('<resource>', names.resource)
      .replace('<operation>.write', `${names.stem}.write`)
      .replace('<operation>.route', `${names.stem}.route`),
  )
  const [, command = ''] = /for example\n`npm run new -- ([^`]+)`/.exec(section) ?? []
  return { files: files.sort(), command: command.split(' ') }
}

/** Adds the write in a copy, by the command that CONTRIBUTING prints. */
export const addWrite = (root: string, command: readonly string[]) =>
  runCommand('npx', ['tsx', 'tools/src/new.ts', ...command], root)
