import type { RegisterFile } from '@tallystick/wire'
import { systemRandom } from '../../src/platform/random.ts'
import { createRegisterImport } from '../../src/register/index.ts'
import { createWorld, type TestAnswer, type World, type WorldOptions } from '../world.ts'
import { type Cells, fileOf } from './lines.ts'

/** The product with a register that tests fill, read with a register key. */
export async function createRegisterWorld(options: WorldOptions = {}) {
  const world: World = await createWorld(options)
  const { database, clock } = world
  const imports = createRegisterImport({ database, clock, random: systemRandom })
  const { apiKey } = await world.operator.createRegisterKey('tests')
  return {
    world,
    imports,
    registerKey: apiKey,
    get: (path: string): Promise<TestAnswer> => world.call('GET', `/api/mica/v1${path}`, { key: apiKey }),
    fill: (file: RegisterFile, rows: readonly (Cells | string)[], acceptShrink = false) =>
      imports.importBytes(
        `${file}.csv`,
        { bytes: fileOf(file, rows), date: new Date('2026-01-02T03:04:05Z') },
        { acceptShrink },
      ),
  }
}

export type RegisterWorld = Awaited<ReturnType<typeof createRegisterWorld>>
