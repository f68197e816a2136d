import { once } from 'node:events'
import { createReadStream, createWriteStream } from 'node:fs'
import { open, rm } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { StringDecoder } from 'node:string_decoder'
import { createGunzip, createGzip } from 'node:zlib'

/** A file that cannot be written. */
export class UnwritableFileError extends Error {
  override readonly name = 'UnwritableFileError'
}

/** Writes lines into a new gzipped file, which is gone again when `fill` fails, and on the disk when this ends. Answers its size. */
export async function writeGzipLines(
  file: string,
  fill: (write: (line: string) => Promise<void>) => Promise<void>,
): Promise<number> {
  // Opened first: a place that cannot be written is told before anything is read.
  const handle = await open(file, 'wx', 0o600).catch((cause: NodeJS.ErrnoException) => {
    const reason = cause.code === 'EEXIST' ? 'there is a file of that name already' : cause.message
    throw new UnwritableFileError(`${file} cannot be written: ${reason}`, { cause })
  })
  const gzip = createGzip()
  const target = createWriteStream(file, { fd: handle, flush: true })
  const written = pipeline(gzip, target)
  // Waited for below; until then a failure must not count as unhandled.
  written.catch(() => {})
  try {
    await fill(async (line) => {
      if (!gzip.write(line)) await Promise.race([once(gzip, 'drain'), written])
    })
    gzip.end()
    await written
    return target.bytesWritten
  } catch (error) {
    gzip.destroy()
    await written.catch(() => {})
    await rm(file, { force: true })
    throw error
  }
}

/** Every line of a gzipped file in turn. Rejects when the file cannot be read to its end. */
export async function readGzipLines(file: string, onLine: (line: string) => Promise<void> | void): Promise<void> {
  await pipeline(createReadStream(file), createGunzip(), async (bytes: AsyncIterable<Buffer>) => {
    const decoder = new StringDecoder('utf8')
    // Pieces of the line that has not ended yet: the state of a chain is one line of many megabytes.
    let open: string[] = []
    for await (const chunk of bytes) {
      const [first = '', ...more] = decoder.write(chunk).split('\n')
      open.push(first)
      for (const next of more) {
        await onLine(open.join(''))
        open = [next]
      }
    }
    const last = open.join('') + decoder.end()
    if (last !== '') await onLine(last)
  })
}
