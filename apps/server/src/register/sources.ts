import { readFile, stat } from 'node:fs/promises'
import type { Validators } from './import.store.ts'
import { RefusedFileError } from './read-file.rules.ts'

export interface LoadOptions {
  readonly timeoutMs: number
  readonly maxBytes: number
  /** What an earlier look noted; when nothing is new since, the answer is `unchanged`. */
  readonly validators?: Validators
  readonly stopped?: AbortSignal
}

export interface Loaded extends Validators {
  readonly bytes: Uint8Array
  /** When the publisher says it was changed. */
  readonly date: Date | null
}

export const isAddress = (source: string): boolean => /^https?:\/\//i.test(source)

const tooLarge = (maxBytes: number) => new RefusedFileError(`it is larger than ${maxBytes} bytes`)

async function loadFromDisk(path: string, { maxBytes }: LoadOptions): Promise<Loaded> {
  try {
    const { size, mtime } = await stat(path)
    if (size > maxBytes) throw tooLarge(maxBytes)
    return { bytes: await readFile(path), date: mtime, etag: null, lastModified: null }
  } catch (error) {
    if (error instanceof RefusedFileError) throw error
    const { code, message } = error as NodeJS.ErrnoException
    throw new RefusedFileError(`it cannot be read (${code ?? message})`, { cause: error })
  }
}

async function readBody(response: Response, maxBytes: number): Promise<Uint8Array> {
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    size += part.length
    if (size > maxBytes) throw tooLarge(maxBytes)
    parts.push(part)
  }
  return Buffer.concat(parts)
}

function conditions({ etag, lastModified }: Validators): Record<string, string> {
  return {
    ...(etag === null ? {} : { 'if-none-match': etag }),
    ...(lastModified === null ? {} : { 'if-modified-since': lastModified }),
  }
}

async function loadFromWeb(address: string, options: LoadOptions): Promise<Loaded | 'unchanged'> {
  const { timeoutMs, maxBytes, validators, stopped } = options
  const timeout = AbortSignal.timeout(timeoutMs)
  try {
    const response = await fetch(address, {
      headers: {
        accept: 'text/csv, */*;q=0.1',
        'user-agent': 'tallystick',
        ...(validators ? conditions(validators) : {}),
      },
      signal: stopped ? AbortSignal.any([timeout, stopped]) : timeout,
    })
    if (response.status === 304 && validators) return 'unchanged'
    if (!response.ok) throw new RefusedFileError(`the server answered ${response.status}`)
    const bytes = await readBody(response, maxBytes)
    const lastModified = response.headers.get('last-modified')
    const date = lastModified === null ? Number.NaN : Date.parse(lastModified)
    return { bytes, date: Number.isNaN(date) ? null : new Date(date), etag: response.headers.get('etag'), lastModified }
  } catch (error) {
    if (error instanceof RefusedFileError || stopped?.aborted) throw error
    if (timeout.aborted) throw new RefusedFileError(`no whole answer within ${timeoutMs} ms`, { cause: error })
    const { cause, message } = error as Error & { cause?: { code?: string } }
    throw new RefusedFileError(`it cannot be fetched (${cause?.code ?? message})`, { cause: error })
  }
}

/** A file of the register from disk or from the web, whole and within bounds. */
export const loadSource = (source: string, options: LoadOptions): Promise<Loaded | 'unchanged'> =>
  isAddress(source) ? loadFromWeb(source, options) : loadFromDisk(source, options)
