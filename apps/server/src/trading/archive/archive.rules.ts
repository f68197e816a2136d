import { createHash } from 'node:crypto'
import { emptyHead, type Head, JournalBroken, readEntry, verifyEntries } from '@tallystick/engine'

export const FORMAT = 'tallystick-archive'
export const FORMAT_VERSION = 1

/** An archive that cannot be written, or cannot be trusted. */
export class ArchiveError extends Error {
  override readonly name = 'ArchiveError'
}

export interface Header {
  readonly format: string
  readonly version: number
  readonly createdAt: string
  /** Nothing in it is younger. */
  readonly olderThan: string
}

/** A piece of the journal of a unit, whole from one head to another. */
export interface UnitPart {
  readonly unitId: string
  readonly before: Head
  readonly after: Head
  readonly entries: number
  readonly groups: number
}

/** Numbered rows of one owner without gaps: all behind `before` up to `after`. */
export interface NumberedPart {
  readonly id: string
  readonly before: number
  readonly after: number
}

export interface Parts {
  readonly units: readonly UnitPart[]
  readonly lanes: readonly NumberedPart[]
  readonly rfqs: readonly NumberedPart[]
}

/** Number, body and hash of an entry; version, id, last entry and time of a commit. */
export type EntryLine = readonly [number, string, string]
export type GroupLine = readonly [number, string, number, string]

interface LaneGroup {
  readonly lane_id: string
  readonly sequence: number
  readonly unit_id: string | null
  readonly first_entry: number | null
  readonly last_entry: number | null
  readonly head_hash: string | null
  readonly entries: string
  readonly hashes: string
}

interface RfqEvent {
  readonly instance_id: string
  readonly number: number
}

export type Line =
  | { readonly unit: UnitPart }
  | { readonly entry: EntryLine }
  | { readonly group: GroupLine }
  | { readonly lane: NumberedPart }
  | { readonly laneGroup: LaneGroup }
  | { readonly rfqs: NumberedPart }
  | { readonly rfqEvent: RfqEvent }

export interface End {
  readonly end: true
  readonly lines: number
  readonly sha256: string
}

export interface VerifiedArchive extends Parts {
  readonly createdAt: string
  readonly olderThan: string
  readonly sha256: string
  readonly lines: number
}

/** A part while it is read: what comes next has to follow what came before, and it has to be whole when it ends. */
interface OpenPart {
  take(line: Line): void
  finish(): void
}

const broken = (what: string) => new ArchiveError(what)

function openUnit(part: UnitPart): OpenPart {
  const { unitId, before, after } = part
  const name = `unit ${unitId}`
  // The journal of one unit cannot be passed off as another's.
  if (before.number === 0 && before.hash !== emptyHead(unitId).hash) throw broken(`${name}: does not begin at its head`)
  let head = before
  let groups = 0
  let version = -1
  return {
    take(line) {
      if ('entry' in line) {
        const [number, body, hash] = line.entry
        head = verifyEntries(head, [{ number, body, hash }])
        readEntry({ number, body, hash })
      } else if ('group' in line) {
        const [next, , last] = line.group
        if (next <= version || last > after.number) throw broken(`${name}: commit ${next} is not where it should be`)
        version = next
        groups += 1
      } else throw broken(`${name}: a row of another kind is among its entries`)
    },
    finish() {
      if (head.number !== after.number || head.hash !== after.hash) throw broken(`${name}: does not lead to its head`)
      if (head.number - before.number !== part.entries || groups !== part.groups)
        throw broken(`${name}: rows are missing`)
    },
  }
}

/** The lines of a commit hang together, and lead to the head that it left. */
function checkLaneGroup({ sequence, unit_id: unitId, ...group }: LaneGroup): void {
  if (unitId === null) return
  const [bodies, hashes] = [group.entries.split('\n'), group.hashes.split('\n')]
  const isWhole =
    bodies.length === hashes.length &&
    bodies.length === Number(group.last_entry) - Number(group.first_entry) + 1 &&
    hashes.at(-1) === group.head_hash
  if (!isWhole) throw broken(`commit ${sequence} of a lane is not whole`)
  let head = { number: Number(group.first_entry), hash: hashes[0] ?? '' }
  for (const [index, body] of bodies.entries())
    if (index > 0) head = verifyEntries(head, [{ number: head.number + 1, body, hash: hashes[index] ?? '' }])
}

function openNumbered(
  name: string,
  { id, before, after }: NumberedPart,
  take: (line: Line) => [string, number],
): OpenPart {
  let last = before
  return {
    take(line) {
      const [owner, number] = take(line)
      if (owner !== id || number !== last + 1) throw broken(`${name} ${id}: ${number} does not follow ${last}`)
      last = number
    },
    finish() {
      if (last !== after) throw broken(`${name} ${id}: rows are missing`)
    },
  }
}

function opening(line: Line): OpenPart | null {
  if ('unit' in line) return openUnit(line.unit)
  if ('lane' in line)
    return openNumbered('lane', line.lane, (one) => {
      if (!('laneGroup' in one)) throw broken('a row of another kind is among the commits of a lane')
      checkLaneGroup(one.laneGroup)
      return [one.laneGroup.lane_id, one.laneGroup.sequence]
    })
  if ('rfqs' in line)
    return openNumbered('requests for quote of', line.rfqs, (one) => {
      if (!('rfqEvent' in one)) throw broken('a row of another kind is among the requests for quote')
      return [one.rfqEvent.instance_id, one.rfqEvent.number]
    })
  return null
}

/** Takes an archive line by line. Whatever was changed, left out or put in, shows. */
export function createArchiveCheck() {
  const digest = createHash('sha256')
  const parts = { units: [] as UnitPart[], lanes: [] as NumberedPart[], rfqs: [] as NumberedPart[] }
  let header: Header | undefined
  let open: OpenPart | undefined
  let lines = 0
  let end: End | undefined

  function takeLine(line: Line): void {
    const next = opening(line)
    if (!next) {
      if (!open) throw broken('a row stands before the part that it belongs to')
      open.take(line)
      return
    }
    open?.finish()
    open = next
    if ('unit' in line) parts.units.push(line.unit)
    else if ('lane' in line) parts.lanes.push(line.lane)
    else if ('rfqs' in line) parts.rfqs.push(line.rfqs)
  }

  return {
    take(text: string): void {
      if (end) throw broken('something stands behind its end')
      const line = JSON.parse(text) as Header | Line | End
      if ('end' in line) {
        open?.finish()
        end = line
        return
      }
      digest.update(`${text}\n`)
      lines += 1
      if (header) {
        takeLine(line as Line)
        return
      }
      header = line as Header
      if (header.format !== FORMAT) throw broken('it is no archive of Tallystick')
      if (header.version !== FORMAT_VERSION) throw broken(`version ${header.version} cannot be read by this release`)
    },
    finish(): VerifiedArchive {
      const sha256 = digest.digest('hex')
      if (!header || !end) throw broken('it was cut short')
      if (end.lines !== lines || end.sha256 !== sha256) throw broken('its sum does not fit: it was changed')
      return { createdAt: header.createdAt, olderThan: header.olderThan, sha256, lines, ...parts }
    },
  }
}

/** What a journal says of itself when it does not fit. */
export const reasonOf = (error: unknown): string =>
  error instanceof ArchiveError || error instanceof JournalBroken || error instanceof SyntaxError
    ? error.message
    : String((error as Error).message ?? error)
