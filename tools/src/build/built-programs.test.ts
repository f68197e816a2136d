import { spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { repositoryRoot } from '../support/repository.ts'

/** A repository of one program, with our packages and our way to build. */
describe('the programs that npm start runs', () => {
  let root = ''
  const source = () => join(root, 'packages/embedded/src/chain/edr/main.ts')
  const cache = () => join(root, 'node_modules/.cache/tally-programs')
  const trees = () => readdirSync(cache())

  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'tallystick-programs-'))
    cpSync(join(repositoryRoot, 'tools/bin'), join(root, 'tools/bin'), { recursive: true })
    for (const folder of ['apps', 'docs', 'packages/embedded/src/chain/edr', 'tools/src', 'node_modules'])
      mkdirSync(join(root, folder), { recursive: true })
    symlinkSync(join(repositoryRoot, 'node_modules/tsx'), join(root, 'node_modules/tsx'))
    // What builds, as little of it as shows whether it ran.
    const build = `
      import { cpSync, mkdirSync } from 'node:fs'
      mkdirSync(process.argv[2])
      cpSync('packages/embedded/src/chain/edr/main.ts', process.argv[2] + '/chain-node.js')`
    writeFileSync(join(root, 'tools/src/build-programs.ts'), build)
    writeFileSync(join(root, 'package.json'), '{ "type": "module" }')
    writeFileSync(source(), `console.log('one', ...process.argv.slice(2))`)
  })
  afterEach(() => rmSync(root, { recursive: true, force: true }))

  function start(...args: string[]) {
    const { stdout, stderr, status } = spawnSync(process.execPath, ['tools/bin/run-program.mjs', ...args], {
      cwd: root,
    })
    return { said: stdout.toString().trim(), fault: stderr.toString().trim(), status }
  }

  it('are built when they are missing or a source changed, and not again', () => {
    expect(start('chain-node', '--fresh', 'x')).toEqual({ said: 'one --fresh x', fault: '', status: 0 })
    expect(start('chain-node')).toEqual({ said: 'one', fault: '', status: 0 })
    expect(trees()).toHaveLength(1)
    writeFileSync(source(), `console.log('another')`)
    expect(start('chain-node')).toEqual({ said: 'another', fault: '', status: 0 })
    // The first one may still run.
    expect(trees()).toHaveLength(2)
    for (const tree of trees()) utimesSync(join(cache(), tree), 0, 0)
    expect(start('chain-node').said).toBe('another')
    expect(trees()).toHaveLength(1)
  })

  it('are built without being run, where none is named', () => {
    expect(start()).toEqual({ said: '', fault: '', status: 0 })
    expect(existsSync(cache())).toBe(true)
  })

  it('run from their sources where they cannot be built, and say so', () => {
    writeFileSync(join(root, 'tools/src/build-programs.ts'), `throw new Error('no room')`)
    const { said, fault } = start('chain-node')
    expect(said).toBe('one')
    expect(fault).toMatch(/^tallystick: running from sources, .+no room/s)
    expect(trees()).toEqual([])
    // An installation goes on all the same.
    expect(start()).toMatchObject({ said: '', status: 0 })
  })
})
