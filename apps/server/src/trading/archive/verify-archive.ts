import { readGzipLines } from '../../platform/gzip-lines.ts'
import { ArchiveError, createArchiveCheck, reasonOf, type VerifiedArchive } from './archive.rules.ts'

/** Reads an archive through: every entry against the hash chain of its journal, every row in its place, the sum of all. Needs no database. */
export async function verifyArchive(file: string): Promise<VerifiedArchive> {
  const check = createArchiveCheck()
  let fault: unknown
  try {
    await readGzipLines(file, (line) => {
      try {
        check.take(line)
      } catch (error) {
        // The stream that is torn down for it says something of its own.
        fault ??= error
        throw error
      }
    })
    return check.finish()
  } catch (cause) {
    throw new ArchiveError(`${file} cannot be trusted: ${reasonOf(fault ?? cause)}`, { cause: fault ?? cause })
  }
}
