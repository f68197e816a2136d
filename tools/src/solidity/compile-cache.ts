import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Enough for the parts of a build and its layouts on a few branches, at 10 to 20 MB each. */
const KEPT = 16

/** The compiler's answer to exactly this input, from an earlier run where there was one. */
export async function answerOnce(
  folder: string,
  input: unknown,
  compile: (input: unknown) => Promise<string>,
): Promise<string> {
  const file = join(folder, `${createHash('sha256').update(JSON.stringify(input)).digest('hex')}.json`)
  const known = readIfThere(file)
  if (known !== undefined) {
    utimesSync(file, new Date(), new Date())
    return known
  }
  const answer = await compile(input)
  mkdirSync(folder, { recursive: true })
  // Whole or not at all: another process may read at any time.
  writeFileSync(`${file}.${process.pid}`, answer)
  renameSync(`${file}.${process.pid}`, file)
  forgetOldest(folder)
  return answer
}

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

function forgetOldest(folder: string): void {
  const usedAt = (name: string) => statSync(join(folder, name)).mtimeMs
  const names = readdirSync(folder).filter((name) => name.endsWith('.json'))
  const newestFirst = names.map((name) => ({ name, at: usedAt(name) })).sort((a, b) => b.at - a.at)
  for (const { name } of newestFirst.slice(KEPT)) rmSync(join(folder, name), { force: true })
}
