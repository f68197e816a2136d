import { Type } from 'typebox'

const closed = { additionalProperties: false } as const

/** What every stream takes beside its own. */
export const streamQuery = {
  ticket: Type.Optional(Type.String({ maxLength: 100, description: 'Instead of a key: see createStreamTicket.' })),
}

export const StreamHeartbeat = Type.Object(
  { type: Type.Literal('heartbeat'), at: Type.String({ description: 'All up to here was sent.' }) },
  closed,
)

export const StreamEnd = Type.Object(
  {
    type: Type.Literal('end'),
    reason: Type.String({ description: 'A code: why the server ends the stream.' }),
  },
  closed,
)
