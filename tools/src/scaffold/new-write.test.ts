import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { listFiles, repositoryRoot } from '../support/repository.ts'
import { runCommand } from '../support/run-command.ts'
import { findCall } from './contract-abi.ts'
import { renderWrite } from './lending-write.ts'
import { namesOf } from './names.ts'

/** What the server does not need. */
const LEFT_OUT = /^(contracts\/(?!package)|bench\/|e2e\/(?!package)|ops\/)/
const MINUTES = 60_000

/** A copy of the repository that finds its own packages, and all others where they are installed. */
function scratchCopy(): string {
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
function promised(names: { resource: string; operation: string; stem: string }) {
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

describe('adding a write as CONTRIBUTING says', () => {
  const names = { resource: 'rates', operation: 'pokeSnapshot', stem: 'poke-snapshot' }
  const { files, command } = promised(names)
  let root: string
  beforeAll(() => {
    root = scratchCopy()
  })
  afterAll(() => rmSync(root, { recursive: true, force: true }))

  it('takes four files and no more', async () => {
    expect(files).toHaveLength(4)
    expect(command).toContain(names.operation)
    const before = new Map(listFiles(root).map((path) => [path, readFileSync(join(root, path), 'utf8')]))
    const { exitCode, output } = await runCommand('npx', ['tsx', 'tools/src/new.ts', ...command], root)
    expect([exitCode, output]).toEqual([0, expect.stringContaining('Now:')])
    const touched = listFiles(root).filter((path) => before.get(path) !== readFileSync(join(root, path), 'utf8'))
    expect(touched).toEqual(files)
    for (const path of files.filter((one) => before.has(one)))
      expect(before.get(path), `${path} of the repository itself`).toBe(
        readFileSync(join(repositoryRoot, path), 'utf8'),
      )
  })

  it('makes a write that the compiler accepts, and that is built and proven over HTTP', {
    timeout: 5 * MINUTES,
  }, async () => {
    const test = files.find((path) => path.endsWith('.test.ts')) ?? ''
    expect(existsSync(join(root, test))).toBe(true)
    const env = Object.keys(process.env).filter((name) => name.startsWith('VITEST'))
    const unset = env.flatMap((name) => ['-u', name])
    const compiled = { extends: './tsconfig.json', compilerOptions: { incremental: false }, include: files }
    writeFileSync(join(root, 'write.json'), JSON.stringify(compiled))
    const [tests, types] = await Promise.all([
      runCommand('env', [...unset, 'npx', 'vitest', 'run', '--project', 'server', test], root),
      runCommand('node', ['node_modules/typescript7/bin/tsc', '-p', 'write.json', '--singleThreaded'], root),
    ])
    expect([types.exitCode, types.output]).toEqual([0, ''])
    expect([tests.exitCode, tests.output]).toEqual([0, expect.stringContaining('2 passed')])
  })
})

describe('what there is no template for', () => {
  it.each([
    [
      () => namesOf('stocks', 'rates', 'pokeSnapshot'),
      'There is a template for writes of lending only, not of stocks.',
    ],
    [() => namesOf('lending', 'Rates', 'pokeSnapshot'), 'Rates is not the name of a folder.'],
    [() => namesOf('lending', 'rates', 'poke'), 'poke is not a verb and a noun in camel case.'],
    [
      () => findCall('nothing.poke', 'Snapshot'),
      'There is no nothing. A write calls one of: market, router, rateModel, oracle.',
    ],
    [() => findCall('market.poke', 'Snapshot'), 'The market has no function poke.'],
    [() => findCall('market.pokeSnapshot', 'Poked'), 'The market emits no Poked.'],
    [
      () => renderWrite(namesOf('lending', 'rates', 'setConfig'), findCall('market.setConfig', 'ConfigUpdated')),
      'newConfig is a tuple, for which there is no template: copy a write that takes one.',
    ],
  ])('is refused in a sentence (%#)', (asking, sentence) => {
    expect(asking).toThrow(sentence)
  })
})
