// Copied by npm run sdk from packages/wire/src/streams. Do not edit.
import type { OtherMessage, SnapshotMessage, StreamLevel, UpdateMessage } from './book-messages.ts'
import { createLadder } from './ladder.ts'

/** Why a replica cannot be trusted any more: subscribe again, the stream begins with a snapshot. */
export type ReplicaFault = 'NO_SNAPSHOT' | 'GAP' | 'CHECKSUM'

export class ReplicaBroken extends Error {
  override readonly name = 'ReplicaBroken'
  readonly fault: ReplicaFault

  constructor(fault: ReplicaFault, detail: string) {
    super(detail)
    this.fault = fault
  }
}

export interface BookReplica {
  /** Takes any message of a book stream. Throws ReplicaBroken when one is missing or the levels are not those of the server. */
  take(message: SnapshotMessage | UpdateMessage | OtherMessage): void
  /** The last journal entry that is in it; null before the snapshot. */
  sequence(): string | null
  /** The hash chain of the journal up to there. */
  headHash(): string | null
  /** Best first. */
  bids(limit?: number): StreamLevel[]
  asks(limit?: number): StreamLevel[]
  checksum(): string
}

const isSnapshot = (message: OtherMessage): message is SnapshotMessage => message.type === 'snapshot'
const isUpdate = (message: OtherMessage): message is UpdateMessage => message.type === 'update'

/** A book as a listener knows it, built from the messages of its stream alone. */
export function createBookReplica(): BookReplica {
  let ladder = createLadder()
  let place: { sequence: string; headHash: string } | null = null

  function change({ bids, asks, checksum }: SnapshotMessage | UpdateMessage, sequence: string): void {
    for (const level of bids) ladder.setBid(level)
    for (const level of asks) ladder.setAsk(level)
    const own = ladder.checksum()
    if (own !== checksum)
      throw broken('CHECKSUM', `at ${sequence} the levels sum to ${own}, the server's to ${checksum}`)
  }

  function broken(fault: ReplicaFault, detail: string): ReplicaBroken {
    place = null
    return new ReplicaBroken(fault, detail)
  }

  return {
    take(message) {
      if (isSnapshot(message)) {
        ladder = createLadder()
        change(message, message.sequence)
        place = { sequence: message.sequence, headHash: message.headHash }
      } else if (isUpdate(message)) {
        const { firstSequence, lastSequence, headHash } = message
        if (!place) throw broken('NO_SNAPSHOT', `an update from ${firstSequence} on came before any snapshot`)
        if (BigInt(firstSequence) !== BigInt(place.sequence) + 1n)
          throw broken('GAP', `after ${place.sequence} came an update from ${firstSequence} on`)
        change(message, lastSequence)
        place = { sequence: lastSequence, headHash }
      }
    },
    sequence: () => place?.sequence ?? null,
    headHash: () => place?.headHash ?? null,
    bids: (limit) => ladder.bids(limit),
    asks: (limit) => ladder.asks(limit),
    checksum: () => ladder.checksum(),
  }
}
