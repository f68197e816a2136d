import { readFileSync } from 'node:fs'
import { createRegisterImport } from '@tallystick/server/operator'
import type { Clock, Database, Random } from '@tallystick/server/platform'
import { registerFiles } from '@tallystick/wire'
import { withInventedProviders } from './invented-providers.ts'

/** The day that the invented files are of. */
const PUBLISHED = new Date('2026-01-12T00:00:00Z')

/** Fills an empty register with invented entities. One that somebody filled is left alone: its files may be real. */
export async function ensureRegister(parts: { database: Database; clock: Clock; random: Random }): Promise<void> {
  const imports = createRegisterImport(parts)
  if (await imports.wasFilled()) return
  for (const file of registerFiles) {
    const text = readFileSync(new URL(`./register/${file}.csv`, import.meta.url), 'utf8')
    const bytes = Buffer.from(file === 'CASPS' ? withInventedProviders(text) : text)
    const { outcome, reason } = await imports.importBytes(`demo/${file}.csv`, { bytes, date: PUBLISHED })
    if (outcome === 'refused') throw new Error(`the register of the demo was refused: ${reason}`)
  }
}
