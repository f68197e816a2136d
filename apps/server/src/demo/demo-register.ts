import { readFileSync } from 'node:fs'
import { registerFiles } from '@tallystick/wire'
import type { Clock } from '../platform/clock.ts'
import type { Database } from '../platform/db/database.ts'
import type { Random } from '../platform/random.ts'
import { createRegisterImport } from '../register/index.ts'

/** The day that the invented files are of. */
const PUBLISHED = new Date('2026-01-12T00:00:00Z')

/** Fills an empty register with invented entities. One that somebody filled is left alone: its files may be real. */
export async function ensureRegister(parts: { database: Database; clock: Clock; random: Random }): Promise<void> {
  const imports = createRegisterImport(parts)
  if (await imports.wasFilled()) return
  for (const file of registerFiles) {
    const bytes = readFileSync(new URL(`./register/${file}.csv`, import.meta.url))
    const { outcome, reason } = await imports.importBytes(`demo/${file}.csv`, { bytes, date: PUBLISHED })
    if (outcome === 'refused') throw new Error(`the register of the demo was refused: ${reason}`)
  }
}
