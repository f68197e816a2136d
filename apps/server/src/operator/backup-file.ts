import { readGzipLines, UnwritableFileError, writeGzipLines } from '../platform/gzip-lines.ts'
import { BackupError } from './backup.rules.ts'

/** Writes lines into a new gzipped file, which is gone again when `fill` fails. Answers its size. */
export async function writeLines(
  file: string,
  fill: (write: (line: string) => Promise<void>) => Promise<void>,
): Promise<number> {
  try {
    return await writeGzipLines(file, fill)
  } catch (error) {
    if (error instanceof UnwritableFileError) throw new BackupError(error.message, { cause: error.cause })
    throw error
  }
}

export const readLines = readGzipLines
