import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { listFiles, repositoryRoot } from '../support/repository.ts'
import { findCall } from './contract-abi.ts'
import { renderWrite } from './lending-write.ts'
import { namesOf } from './names.ts'
import { ADDED, addWrite, promised, scratchCopy } from './scratch-copy.ts'

describe('adding a write as CONTRIBUTING says', () => {
  const { files, command } = promised(ADDED)
  let root: string
  beforeAll(() => {
    root = scratchCopy()
  })
  afterAll(() => rmSync(root, { recursive: true, force: true }))

  it('takes four files and no more', async () => {
    expect(files).toHaveLength(4)
    expect(command).toContain(ADDED.operation)
    const before = new Map(listFiles(root).map((path) => [path, readFileSync(join(root, path), 'utf8')]))
    const { exitCode, output } = await addWrite(root, command)
    expect([exitCode, output]).toEqual([0, expect.stringContaining('Now:')])
    const touched = listFiles(root).filter((path) => before.get(path) !== readFileSync(join(root, path), 'utf8'))
    expect(touched).toEqual(files)
    for (const path of files.filter((one) => before.has(one)))
      expect(before.get(path), `${path} of the repository itself`).toBe(
        readFileSync(join(repositoryRoot, path), 'utf8'),
      )
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
