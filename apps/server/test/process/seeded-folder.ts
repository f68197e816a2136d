import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { copyOf, kill9, partsIn } from './data-folder.ts'
import { startForTheFirstTime } from './first-start.ts'
import { sharedSeed } from './shared-seed.ts'

/**
 * Seeding takes longer than most tests, so that the first file of a run that asks does it for all: by `npm start`. What it makes is
 * never started in its place.
 */
export async function firstSeed(): Promise<string> {
  // The workers of one run have one parent.
  const shared = sharedSeed(process.ppid)
  const isReady = () => existsSync(join(shared, 'ready'))
  const folder = join(shared, 'stack')
  try {
    mkdirSync(shared, { mode: 0o755 })
  } catch {
    while (!isReady()) {
      if (!existsSync(shared)) throw new Error('seeding failed in another file')
      await sleep(100)
    }
    return folder
  }
  try {
    mkdirSync(folder, { mode: 0o755 })
    await startForTheFirstTime(folder)
    writeFileSync(join(shared, 'ready'), '')
  } catch (error) {
    const { postgres, chain } = partsIn(folder)
    kill9([...postgres, ...chain])
    rmSync(shared, { recursive: true, force: true })
    throw error
  }
  return folder
}

/** A folder whose demo is seeded and whose stack is stopped. */
export async function seededFolder(): Promise<string> {
  return copyOf(await firstSeed())
}
