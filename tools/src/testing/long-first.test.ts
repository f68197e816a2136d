import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { repositoryRoot } from '../support/repository.ts'
import { placeOf } from './long-first.ts'

describe('the order of files', () => {
  const inOrder = [
    'tools/src/scaffold/new-write.test.ts',
    'packages/embedded/src/chain/behaviour/files.test.ts',
    'apps/server/test/process/embedded.test.ts',
    'apps/server/test/process/external.test.ts',
    'apps/server/test/process/backup.test.ts',
    'apps/server/test/door-bodies.test.ts',
  ]

  it('puts long ones first, and short ones of the server last', () => {
    for (const path of inOrder) expect(existsSync(join(repositoryRoot, path)), path).toBe(true)
    expect(inOrder.map(placeOf)).toEqual([0, 1, 2, 3, 4, 5])
  })

  it('keeps files together that can wait for the demo, and those that share their workers', () => {
    for (const path of ['apps/server/test/process/backup.test.ts', 'e2e/src/tour.test.ts'])
      expect(placeOf(path)).toBe(4)
    for (const path of ['apps/server/test/relayer/crash.test.ts', 'bench/src/soak/parts.test.ts'])
      expect(placeOf(path)).toBe(3)
  })
})
