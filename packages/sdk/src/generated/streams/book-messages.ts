// Copied by npm run sdk from packages/wire/src/streams. Do not edit.
/** One price of one side, as streams tell it; amounts in order book units. */
export interface StreamLevel {
  readonly price: string
  /** 0: the level is gone. */
  readonly quantity: string
  readonly orderCount: number
}

/** What a replica needs of the messages of a book stream; they carry more. */
export interface SnapshotMessage {
  readonly type: 'snapshot'
  readonly sequence: string
  readonly headHash: string
  readonly bids: readonly StreamLevel[]
  readonly asks: readonly StreamLevel[]
  readonly checksum: string
}

export interface UpdateMessage {
  readonly type: 'update'
  readonly firstSequence: string
  readonly lastSequence: string
  readonly headHash: string
  readonly bids: readonly StreamLevel[]
  readonly asks: readonly StreamLevel[]
  readonly checksum: string
}

/** Heartbeats, the last word, and whatever later versions add. */
export interface OtherMessage {
  readonly type: string
}
