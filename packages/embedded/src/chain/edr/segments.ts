import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { parseLine } from './segment-lines.ts'

const name = /^blocks-(\d{6})[.]log$/
const NEWLINE = 10

/** Numbers of the segments in a folder, oldest first. */
export function listSegments(folder: string): number[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder)
    .map((file) => Number(name.exec(file)?.[1] ?? Number.NaN))
    .filter((segment) => !Number.isNaN(segment))
    .sort((one, other) => one - other)
}

export const segmentFile = (folder: string, segment: number): string =>
  join(folder, `blocks-${String(segment).padStart(6, '0')}.log`)

export interface PlacedLine {
  text: string
  offset: number
  length: number
}

/** Every complete line; what a kill left of a last one is passed over. */
export function* readLines(folder: string, segment: number): Generator<PlacedLine> {
  const bytes = readFileSync(segmentFile(folder, segment))
  for (let offset = 0; ; ) {
    const end = bytes.indexOf(NEWLINE, offset)
    if (end < 0) return
    yield { text: bytes.toString('utf8', offset, end), offset, length: end - offset }
    offset = end + 1
  }
}

export function readPart(folder: string, segment: number, offset: number, length: number): string {
  const file = openSync(segmentFile(folder, segment), 'r')
  try {
    const bytes = Buffer.alloc(length)
    readSync(file, bytes, 0, length, offset)
    return bytes.toString('utf8')
  } finally {
    closeSync(file)
  }
}

/** Cuts off what a kill left of a last line, so that the next one does not stand behind it. */
export function dropTornLine(folder: string, segment: number): void {
  const file = segmentFile(folder, segment)
  const bytes = readFileSync(file)
  const complete = bytes.lastIndexOf(NEWLINE) + 1
  if (complete < bytes.length) truncateSync(file, complete)
}

export function isUsable(folder: string, segment: number): boolean {
  try {
    const [first] = readLines(folder, segment)
    return first !== undefined && parseLine(first.text).kind === 'checkpoint'
  } catch {
    return false
  }
}

/** Aside, not away: somebody may want to look at it. */
export function setAside(folder: string, segment: number): void {
  const file = segmentFile(folder, segment)
  renameSync(file, `${file}.corrupt`)
}

export interface SegmentWriter {
  readonly segment: number
  size(): number
  /** Where the line stands. */
  append(line: string): { offset: number; length: number }
  close(): void
}

/** Begins a segment: it is there whole with its first line, or not at all. */
export function beginSegment(folder: string, segment: number, firstLine: string): SegmentWriter {
  mkdirSync(folder, { recursive: true })
  const file = segmentFile(folder, segment)
  writeFileSync(`${file}.writing`, firstLine, { mode: 0o600 })
  renameSync(`${file}.writing`, file)
  return continueSegment(folder, segment)
}

export function continueSegment(folder: string, segment: number): SegmentWriter {
  const path = segmentFile(folder, segment)
  let size = statSync(path).size
  const file = openSync(path, 'a')
  return {
    segment,
    size: () => size,
    append(line) {
      const bytes = Buffer.from(line)
      const place = { offset: size, length: bytes.length - 1 }
      for (let written = 0; written < bytes.length; ) written += writeSync(file, bytes, written)
      size += bytes.length
      return place
    },
    close: () => closeSync(file),
  }
}

export function deleteSegment(folder: string, segment: number): void {
  rmSync(segmentFile(folder, segment), { force: true })
}
